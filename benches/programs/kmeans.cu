// program: k-means clustering of points with several features, sums of clusters in shared memory
// defect: accumulate: race: no barrier between the sums of a block and their use
#include <cuda_runtime.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CLUSTERS 16
#define MAX_FEATURES 32

#define CUDA_ERRCHK(call)                                                       \
    {                                                                           \
        cudaError_t rc = call;                                                  \
        if (rc != cudaSuccess) {                                                \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(rc)); \
            return 1;                                                           \
        }                                                                       \
    }

typedef struct {
    int points;
    int features;
    int clusters;
    int iterations;
} config_t;

/* Features are stored column by column: feature f of point i is data[f * points + i]. */
__global__ void assign(const float *data, const float *centres, int *membership, int points, int features,
                       int clusters, int *moved)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    float best = FLT_MAX;
    int nearest = -1;
    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (int f = 0; f < features; f++) {
            float d = data[f * points + i] - centres[c * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            nearest = c;
        }
    }
    if (membership[i] != nearest) {
        membership[i] = nearest;
        atomicAdd(moved, 1);
    }
}

__global__ void accumulate(const float *data, const int *membership, float *sums, int *counts, int points,
                           int features, int clusters)
{
    extern __shared__ float shared[];
    float *block_sums = shared;
    int *block_counts = (int *)&shared[clusters * features];
    for (int i = threadIdx.x; i < clusters * features; i += blockDim.x)
        block_sums[i] = 0.0f;
    for (int i = threadIdx.x; i < clusters; i += blockDim.x)
        block_counts[i] = 0;
    __syncthreads();
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point < points) {
        int c = membership[point];
        atomicAdd(&block_counts[c], 1); //~ race
        for (int f = 0; f < features; f++)
            atomicAdd(&block_sums[c * features + f], data[f * points + point]); //~ race
    }
#ifndef DEFECT
    __syncthreads();
#endif
    for (int i = threadIdx.x; i < clusters * features; i += blockDim.x)
        atomicAdd(&sums[i], block_sums[i]); //~ race
    for (int i = threadIdx.x; i < clusters; i += blockDim.x)
        atomicAdd(&counts[i], block_counts[i]); //~ race
}

__global__ void new_centres(float *centres, const float *sums, const int *counts, int features)
{
    int c = blockIdx.x;
    int f = threadIdx.x;
    if (f < features && counts[c] > 0)
        centres[c * features + f] = sums[c * features + f] / counts[c];
}

int main(int argc, char **argv)
{
    config_t cfg = {10000, 8, 5, 30};
    int opt;
    while ((opt = getopt(argc, argv, "p:f:k:i:")) != -1) {
        switch (opt) {
        case 'p': cfg.points = atoi(optarg); break;
        case 'f': cfg.features = atoi(optarg); break;
        case 'k': cfg.clusters = atoi(optarg); break;
        case 'i': cfg.iterations = atoi(optarg); break;
        default: return 1;
        }
    }
    if (cfg.features < 1 || cfg.features > MAX_FEATURES || cfg.clusters < 1 || cfg.clusters > MAX_CLUSTERS ||
        cfg.points < cfg.clusters || cfg.points > 1 << 24) {
        fprintf(stderr, "bad configuration\n");
        return 1;
    }
    size_t data_bytes = (size_t)cfg.points * cfg.features * sizeof(float);
    size_t centre_bytes = (size_t)cfg.clusters * cfg.features * sizeof(float);
    float *data = (float *)malloc(data_bytes);
    float *centres = (float *)malloc(centre_bytes);
    for (int f = 0; f < cfg.features; f++)
        for (int i = 0; i < cfg.points; i++)
            data[f * cfg.points + i] = (float)(i % cfg.clusters) + (float)rand() / RAND_MAX;
    for (int c = 0; c < cfg.clusters; c++)
        for (int f = 0; f < cfg.features; f++)
            centres[c * cfg.features + f] = data[f * cfg.points + c];

    float *d_data, *d_centres, *d_sums;
    int *d_membership, *d_counts, *d_moved;
    CUDA_ERRCHK(cudaMalloc((void **)&d_data, data_bytes));
    CUDA_ERRCHK(cudaMalloc((void **)&d_centres, centre_bytes));
    CUDA_ERRCHK(cudaMalloc((void **)&d_sums, centre_bytes));
    CUDA_ERRCHK(cudaMalloc((void **)&d_membership, cfg.points * sizeof(int)));
    CUDA_ERRCHK(cudaMalloc((void **)&d_counts, cfg.clusters * sizeof(int)));
    CUDA_ERRCHK(cudaMalloc((void **)&d_moved, sizeof(int)));
    CUDA_ERRCHK(cudaMemcpy(d_data, data, data_bytes, cudaMemcpyHostToDevice));
    CUDA_ERRCHK(cudaMemcpy(d_centres, centres, centre_bytes, cudaMemcpyHostToDevice));
    CUDA_ERRCHK(cudaMemset(d_membership, 0xff, cfg.points * sizeof(int)));

    const int threads = 256;
    const int blocks = (cfg.points + threads - 1) / threads;
    int moved = cfg.points, it;
    for (it = 0; it < cfg.iterations && moved > 0; it++) {
        CUDA_ERRCHK(cudaMemset(d_moved, 0, sizeof(int)));
        CUDA_ERRCHK(cudaMemset(d_sums, 0, centre_bytes));
        CUDA_ERRCHK(cudaMemset(d_counts, 0, cfg.clusters * sizeof(int)));
        assign<<<blocks, threads>>>(d_data, d_centres, d_membership, cfg.points, cfg.features, cfg.clusters, d_moved);
        size_t shared = cfg.clusters * (cfg.features * sizeof(float) + sizeof(int));
        accumulate<<<blocks, threads, shared>>>(d_data, d_membership, d_sums, d_counts, cfg.points, cfg.features,
                                                cfg.clusters);
        new_centres<<<cfg.clusters, MAX_FEATURES>>>(d_centres, d_sums, d_counts, cfg.features);
        CUDA_ERRCHK(cudaMemcpy(&moved, d_moved, sizeof(int), cudaMemcpyDeviceToHost));
    }
    CUDA_ERRCHK(cudaMemcpy(centres, d_centres, centre_bytes, cudaMemcpyDeviceToHost));
    printf("%d iterations, %d moved last, first centre %f\n", it, moved, centres[0]);
    cudaFree(d_data);
    cudaFree(d_centres);
    cudaFree(d_sums);
    cudaFree(d_membership);
    cudaFree(d_counts);
    cudaFree(d_moved);
    free(data);
    free(centres);
    return 0;
}
