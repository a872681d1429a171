#pragma once
// Element-wise kernels and a reduction as templates, and the functions of the other unit.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(x)                                                                        \
    do {                                                                                     \
        cudaError_t e = (x);                                                                 \
        if (e != cudaSuccess) {                                                              \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e));        \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

namespace ops {

constexpr int kThreads = 256;

inline int blocks_for(int n) { return (n + kThreads - 1) / kThreads; }

template <typename T, typename F>
__global__ void transform(const T *in, T *out, int n, F f)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}

template <typename T>
__global__ void block_sums(const T *in, T *out, int n)
{
    __shared__ T shared[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    shared[threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int s = kThreads / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s]; //~ race
#ifndef DEFECT
        __syncthreads();
#endif
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0]; //~ race
}

/* The sum of an array; scratch has a place for each block. */
template <typename T>
T sum(const T *data, T *scratch, int n)
{
    block_sums<<<blocks_for(n), kThreads>>>(data, scratch, n);
    T *partial = (T *)malloc(blocks_for(n) * sizeof(T));
    CUDA_CHECK(cudaMemcpy(partial, scratch, blocks_for(n) * sizeof(T), cudaMemcpyDeviceToHost));
    T total = 0;
    for (int b = 0; b < blocks_for(n); b++) total += partial[b];
    free(partial);
    return total;
}

} // namespace ops

// In smooth.cu.
void smooth(const double *in, double *out, int n, int radius, cudaStream_t stream);
