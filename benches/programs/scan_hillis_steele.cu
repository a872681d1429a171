// program: inclusive scan: Hillis-Steele in each block, scan of the block sums, and their addition
// defect: scan_blocks: race: the doubling steps work in place, over what others read
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 512

static void fail(const char *message)
{
    fprintf(stderr, "%s: %s\n", message, cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int buffer[2 * THREADS];
    int tid = threadIdx.x;
    int i = blockIdx.x * THREADS + tid;
    int from = 0, to = THREADS;
#ifdef DEFECT
    to = 0;
#endif
    buffer[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        int value = buffer[from + tid];
        if (tid >= offset)
            value += buffer[from + tid - offset]; //~ race
        buffer[to + tid] = value; //~ race
        __syncthreads();
        int swap = from;
        from = to;
        to = swap;
    }
    if (i < n)
        out[i] = buffer[from + tid];
    if (sums != NULL && tid == THREADS - 1)
        sums[blockIdx.x] = buffer[from + tid];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += sums[blockIdx.x - 1];
}

/* Scans n elements; recursion scans the sums of the blocks. */
static void scan(const int *in, int *out, int n)
{
    int blocks = (n + THREADS - 1) / THREADS;
    int *sums = NULL;
    if (blocks > 1 && cudaMalloc((void **)&sums, blocks * sizeof(int)) != cudaSuccess)
        fail("cudaMalloc");
    scan_blocks<<<blocks, THREADS>>>(in, out, sums, n);
    if (blocks > 1) {
        int *scanned;
        if (cudaMalloc((void **)&scanned, blocks * sizeof(int)) != cudaSuccess)
            fail("cudaMalloc");
        scan(sums, scanned, blocks);
        add_sums<<<blocks, THREADS>>>(out, scanned, n);
        cudaFree(scanned);
        cudaFree(sums);
    }
}

int main(int argc, char **argv)
{
    int n = 300000;
    if (argc > 1)
        n = atoi(argv[1]);
    if (n < 1) {
        fprintf(stderr, "usage: %s [elements]\n", argv[0]);
        return 1;
    }
    int *host = (int *)malloc(n * sizeof(int));
    int *result = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        host[i] = rand() % 10;
    int *in, *out;
    if (cudaMalloc((void **)&in, n * sizeof(int)) != cudaSuccess) fail("cudaMalloc");
    if (cudaMalloc((void **)&out, n * sizeof(int)) != cudaSuccess) fail("cudaMalloc");
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
    scan(in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess) fail("scan");
    cudaMemcpy(result, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; i++) {
        sum += host[i];
        wrong += result[i] != sum;
    }
    printf("%d elements, %d wrong\n", n, wrong);
    cudaFree(in);
    cudaFree(out);
    free(host);
    free(result);
    return wrong != 0;
}
