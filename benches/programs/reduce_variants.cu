// program: compares reductions from a table of template instances, with a block size from the user
// defect: reduce: race: the last steps work without a barrier, as if the lanes of a warp ran together
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#define CHECK(x)                                                                 \
    do {                                                                         \
        if ((x) != cudaSuccess) {                                                \
            fprintf(stderr, "CUDA error in line %d\n", __LINE__);                \
            exit(EXIT_FAILURE);                                                  \
        }                                                                        \
    } while (0)

template <typename T, unsigned int BLOCK>
__global__ void reduce(const T *in, T *out, unsigned int n)
{
    __shared__ T data[BLOCK];
    const unsigned int tid = threadIdx.x;
    T sum = 0;
    for (unsigned int i = blockIdx.x * BLOCK + tid; i < n; i += BLOCK * gridDim.x) {
        sum += in[i];
    }
    data[tid] = sum;
    __syncthreads();
#pragma unroll
    for (unsigned int s = BLOCK / 2; s > 32; s >>= 1) {
        if (tid < s) data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
#ifdef DEFECT
        data[tid] += data[tid + 32]; //~ race
        for (unsigned int s = 16; s > 0; s >>= 1) {
            if (tid < s) data[tid] += data[tid + s]; //~ race
        }
        if (tid == 0) out[blockIdx.x] = data[0];
#else
        sum = data[tid] + data[tid + 32];
        for (unsigned int s = 16; s > 0; s >>= 1) {
            sum += __shfl_down_sync(0xffffffff, sum, s);
        }
        if (tid == 0) out[blockIdx.x] = sum;
#endif
    }
}

typedef void (*Kernel)(const int *, int *, unsigned int);

struct Variant {
    unsigned int threads;
    Kernel kernel;
};

static const Variant variants[] = {
    {64, reduce<int, 64>}, {128, reduce<int, 128>}, {256, reduce<int, 256>}, {512, reduce<int, 512>},
};

static float run(const Variant &v, const int *in, int *out, unsigned int n, unsigned int blocks, int repeats)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int r = 0; r < repeats; r++) {
        v.kernel<<<blocks, v.threads>>>(in, out, n);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms / repeats;
}

int main(int argc, char **argv)
{
    unsigned int n = 1 << 22, blocks = 64, only = 0;
    int repeats = 20;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--n")) n = strtoul(argv[i + 1], nullptr, 10);
        else if (!strcmp(argv[i], "--blocks")) blocks = strtoul(argv[i + 1], nullptr, 10);
        else if (!strcmp(argv[i], "--threads")) only = strtoul(argv[i + 1], nullptr, 10);
        else if (!strcmp(argv[i], "--repeats")) repeats = atoi(argv[i + 1]);
    }
    if (n == 0 || n > 1u << 30 || blocks == 0 || blocks > 65535 || repeats < 1) return EXIT_FAILURE;
    std::vector<int> host(n), sums(blocks);
    for (unsigned int i = 0; i < n; i++) host[i] = (int)(i % 19) - 9;
    const int expected = std::accumulate(host.begin(), host.end(), 0);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, blocks * sizeof(int)));
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    int wrong = 0;
    for (const Variant &v : variants) {
        if (only != 0 && v.threads != only) continue;
        const float ms = run(v, in, out, n, blocks, repeats);
        CHECK(cudaMemcpy(sums.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
        const int sum = std::accumulate(sums.begin(), sums.end(), 0);
        printf("%3u threads: %.3f ms, %s\n", v.threads, ms, sum == expected ? "right" : "wrong");
        wrong += sum != expected;
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
