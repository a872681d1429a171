// program: dot product in one launch, where the last block to finish adds up the sums of all blocks
// defect: dot: race: no __threadfence between a block's sum and its ticket, with 64 blocks
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define BLOCK 256
#define MAX_BLOCKS 64

#define CUDA_OK(x)                                                        \
    if ((x) != cudaSuccess) {                                             \
        printf("CUDA error at line %d\n", __LINE__);                      \
        exit(1);                                                          \
    }

__device__ unsigned int finished_blocks = 0;

__device__ float block_sum(float value)
{
    __shared__ float of_warps[BLOCK / 32];
    for (int d = 16; d > 0; d /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, d);
    }
    if (threadIdx.x % 32 == 0) {
        of_warps[threadIdx.x / 32] = value;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < BLOCK / 32 ? of_warps[threadIdx.x] : 0.0f;
        for (int d = 16; d > 0; d /= 2) {
            value += __shfl_down_sync(0xffffffffu, value, d);
        }
    }
    return value;
}

__global__ void dot(const float *x, const float *y, volatile float *block_sums, float *result, int n)
{
    __shared__ bool is_last;
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        sum += x[i] * y[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = sum; //~ race
#ifndef DEFECT
        __threadfence();
#endif
        const unsigned int ticket = atomicAdd(&finished_blocks, 1u);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
#ifndef DEFECT
        __threadfence();
#endif
        float total = threadIdx.x < gridDim.x ? block_sums[threadIdx.x] : 0.0f; //~ race
        total = block_sum(total);
        if (threadIdx.x == 0) {
            *result = total;
            finished_blocks = 0;
        }
    }
}

int main(int argc, char *argv[])
{
    int n = 1 << 20;
    int iterations = 10;
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) iterations = atoi(argv[2]);
    if (n <= 0 || iterations <= 0) {
        printf("usage: %s [n] [iterations]\n", argv[0]);
        return 1;
    }
    size_t bytes = sizeof(float) * n;
    float *hx = (float *)malloc(bytes), *hy = (float *)malloc(bytes);
    double expected = 0;
    for (int i = 0; i < n; i++) {
        hx[i] = (float)(rand() % 100) / 100.0f;
        hy[i] = (float)(rand() % 100) / 100.0f;
        expected += (double)hx[i] * hy[i];
    }
    float *dx, *dy, *sums, *dresult;
    CUDA_OK(cudaMalloc((void **)&dx, bytes));
    CUDA_OK(cudaMalloc((void **)&dy, bytes));
    CUDA_OK(cudaMalloc((void **)&sums, MAX_BLOCKS * sizeof(float)));
    CUDA_OK(cudaMalloc((void **)&dresult, sizeof(float)));
    CUDA_OK(cudaMemcpy(dx, hx, bytes, cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemcpy(dy, hy, bytes, cudaMemcpyHostToDevice));

    int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int i = 0; i < iterations; i++) {
        dot<<<blocks, BLOCK>>>(dx, dy, sums, dresult, n);
    }
    cudaEventRecord(stop);
    CUDA_OK(cudaEventSynchronize(stop));
    float ms, result;
    cudaEventElapsedTime(&ms, start, stop);
    CUDA_OK(cudaMemcpy(&result, dresult, sizeof(float), cudaMemcpyDeviceToHost));
    bool ok = fabs(result - expected) < 1e-3 * expected + 1e-3;
    printf("%s: %f, host %f, %.3f ms\n", ok ? "ok" : "WRONG", result, expected, ms / iterations);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(sums);
    cudaFree(dresult);
    free(hx);
    free(hy);
    return ok ? 0 : 1;
}
