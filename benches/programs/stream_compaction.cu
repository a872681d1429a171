// program: keeps the positive elements in order: counts of blocks, scan, ranks by ballots
// defect: compact: race: no barrier between the counts of the warps and their use
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#define THREADS 256
#define WARPS (THREADS / 32)
#define CUDA(call)                                                                     \
    if ((call) != cudaSuccess) {                                                       \
        fprintf(stderr, "CUDA call failed in line %d\n", __LINE__);                    \
        exit(1);                                                                       \
    }

struct IsPositive {
    __device__ bool operator()(int x) const { return x > 0; }
};

template <class Predicate>
__global__ void count_blocks(const int *in, int n, int *counts, Predicate keep)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int kept = __syncthreads_count(i < n && keep(in[i]));
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

__global__ void scan_counts(int *counts, int blocks, int *total)
{
    __shared__ int shared[1024];
    int carry = 0;
    for (int base = 0; base < blocks; base += 1024) {
        const int i = base + threadIdx.x;
        const int own = i < blocks ? counts[i] : 0;
        shared[threadIdx.x] = own;
        __syncthreads();
        for (int d = 1; d < 1024; d *= 2) {
            const int left = threadIdx.x >= d ? shared[threadIdx.x - d] : 0;
            __syncthreads();
            shared[threadIdx.x] += left;
            __syncthreads();
        }
        if (i < blocks) counts[i] = carry + shared[threadIdx.x] - own;
        carry += shared[1023];
        __syncthreads();
    }
    if (threadIdx.x == 0) *total = carry;
}

template <class Predicate>
__global__ void compact(const int *in, int n, const int *offsets, int *out, Predicate keep)
{
    __shared__ int of_warps[WARPS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int value = i < n ? in[i] : 0;
    const bool kept = i < n && keep(value);
    const unsigned mask = __ballot_sync(0xffffffffu, kept);
    if (lane == 0) of_warps[warp] = __popc(mask); //~ race
#ifndef DEFECT
    __syncthreads();
#endif
    int before = 0;
    for (int w = 0; w < warp; w++) before += of_warps[w]; //~ race
    if (kept) {
        out[offsets[blockIdx.x] + before + __popc(mask & ((1u << lane) - 1))] = value;
    }
}

template <class Predicate>
int copy_if(const int *in, int n, int *out, Predicate keep)
{
    const int blocks = (n + THREADS - 1) / THREADS;
    int *counts, *total, result;
    CUDA(cudaMalloc(&counts, blocks * sizeof(int)));
    CUDA(cudaMalloc(&total, sizeof(int)));
    count_blocks<<<blocks, THREADS>>>(in, n, counts, keep);
    scan_counts<<<1, 1024>>>(counts, blocks, total);
    compact<<<blocks, THREADS>>>(in, n, counts, out, keep);
    CUDA(cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost));
    CUDA(cudaFree(counts));
    CUDA(cudaFree(total));
    return result;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000000;
    if (n < 1 || n > 100000000) {
        fprintf(stderr, "usage: %s [elements]\n", argv[0]);
        return 1;
    }
    std::vector<int> host(n), expected;
    for (int &x : host) x = rand() % 1000 - 700;
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), [](int x) { return x > 0; });
    int *in, *out;
    CUDA(cudaMalloc(&in, n * sizeof(int)));
    CUDA(cudaMalloc(&out, n * sizeof(int)));
    CUDA(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    const int kept = copy_if(in, n, out, IsPositive());
    std::vector<int> result(kept);
    if (kept > 0) CUDA(cudaMemcpy(result.data(), out, kept * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d of %d kept: %s\n", kept, n, result == expected ? "right" : "wrong");
    cudaFree(in);
    cudaFree(out);
    return result == expected ? 0 : 1;
}
