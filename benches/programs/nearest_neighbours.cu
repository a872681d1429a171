// program: the k nearest of many records: distances on the device, repeated minima
// defect: distances: bounds: one thread too many; 42764 is no multiple of 256
#include <cuda_runtime.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef struct latLong {
    float lat;
    float lng;
} LatLong;

struct Best {
    float distance;
    int index;
};

#define CHK(c)                                                     \
    if (cudaSuccess != (c)) {                                      \
        puts("CUDA call failed: " #c);                             \
        exit(1);                                                   \
    }

__global__ void distances(const LatLong *records, float *out, int count, float lat, float lng)
{
    const int id = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
#ifdef DEFECT
    if (id <= count) {
#else
    if (id < count) {
#endif
        const LatLong r = records[id]; //~ bounds
        out[id] = sqrtf((lat - r.lat) * (lat - r.lat) + (lng - r.lng) * (lng - r.lng)); //~ bounds
    }
}

__global__ void block_minimum(const float *distance, Best *best, int count)
{
    __shared__ Best shared[256];
    Best mine = {FLT_MAX, -1};
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
        if (distance[i] < mine.distance) {
            mine.distance = distance[i];
            mine.index = i;
        }
    }
    shared[threadIdx.x] = mine;
    __syncthreads();
#pragma unroll
    for (int s = 128; s > 0; s >>= 1) {
        if (threadIdx.x < s && shared[threadIdx.x + s].distance < shared[threadIdx.x].distance) {
            shared[threadIdx.x] = shared[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) best[blockIdx.x] = shared[0];
}

__global__ void remove_record(float *distance, int index)
{
    distance[index] = FLT_MAX;
}

int main(int argc, char **argv)
{
    int count = 42764, k = 5;
    float lat = 30.0f, lng = 90.0f;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "-n")) count = atoi(argv[i + 1]);
        if (!strcmp(argv[i], "-r")) k = atoi(argv[i + 1]);
        if (!strcmp(argv[i], "-lat")) lat = (float)atof(argv[i + 1]);
        if (!strcmp(argv[i], "-lng")) lng = (float)atof(argv[i + 1]);
    }
    if (count < 1 || k < 1 || k > count || count > 100000000) return 1;
    std::vector<LatLong> records(count);
    for (LatLong &r : records) {
        r.lat = (float)(rand() % 18000) / 100.0f - 90.0f;
        r.lng = (float)(rand() % 36000) / 100.0f - 180.0f;
    }
    // A grid has two dimensions if there are many blocks.
    const int threads = 256, max_x = 32768;
    const int blocks = (count + threads - 1) / threads;
    dim3 grid(std::min(blocks, max_x), (blocks + max_x - 1) / max_x);

    LatLong *d_records;
    float *d_distance;
    Best *d_best;
    const int reduce_blocks = 32;
    CHK(cudaMalloc((void **)&d_records, sizeof(LatLong) * count));
    CHK(cudaMalloc((void **)&d_distance, sizeof(float) * count));
    CHK(cudaMalloc((void **)&d_best, sizeof(Best) * reduce_blocks));
    CHK(cudaMemcpy(d_records, records.data(), sizeof(LatLong) * count, cudaMemcpyHostToDevice));
    distances<<<grid, threads>>>(d_records, d_distance, count, lat, lng);
    Best best[reduce_blocks];
    std::vector<int> found;
    for (int i = 0; i < k; i++) {
        block_minimum<<<reduce_blocks, 256>>>(d_distance, d_best, count);
        CHK(cudaMemcpy(best, d_best, sizeof(best), cudaMemcpyDeviceToHost));
        const Best *nearest = std::min_element(
            best, best + reduce_blocks, [](const Best &a, const Best &b) { return a.distance < b.distance; });
        printf("%2d: record %d at distance %f\n", i, nearest->index, nearest->distance);
        found.push_back(nearest->index);
        remove_record<<<1, 1>>>(d_distance, nearest->index);
    }
    CHK(cudaDeviceSynchronize());
    CHK(cudaFree(d_records));
    CHK(cudaFree(d_distance));
    CHK(cudaFree(d_best));
    return found.size() == (size_t)k ? 0 : 1;
}
