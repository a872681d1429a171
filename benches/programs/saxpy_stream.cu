// program: BLAS-1 operations (scale, axpy, triad) with grid-stride loops on chunks in two streams
// defect: triad: bounds: the tail guard is missing, and 1000003 elements are no multiple of 256
#include <cuda_runtime.h>
#include <getopt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        cudaError_t status_ = (call);                                                           \
        if (status_ != cudaSuccess) {                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));    \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

struct Options {
    int elements = 1000003;
    int block = 256;
    int repeats = 4;
};

__global__ void scale(float *x, float factor, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        x[i] *= factor;
    }
}

__global__ void axpy(const float *__restrict__ x, float *__restrict__ y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        y[i] = a * x[i] + y[i];
    }
}

__global__ void triad(float *out, const float *x, const float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef DEFECT
    if (i < n)
#endif
        out[i] = x[i] + a * y[i]; //~ bounds
}

static Options parse(int argc, char **argv)
{
    Options o;
    int c;
    while ((c = getopt(argc, argv, "n:b:r:")) != -1) {
        switch (c) {
        case 'n': o.elements = atoi(optarg); break;
        case 'b': o.block = atoi(optarg); break;
        case 'r': o.repeats = atoi(optarg); break;
        default: fprintf(stderr, "usage: %s [-n elements] [-b block] [-r repeats]\n", argv[0]); exit(1);
        }
    }
    if (o.elements < 1 || o.block < 32 || o.block > 1024 || o.repeats < 1) {
        fprintf(stderr, "bad options\n");
        exit(1);
    }
    return o;
}

int main(int argc, char **argv)
{
    const Options o = parse(argc, argv);
    const int n = o.elements;
    std::vector<float> x(n), y(n), result(n);
    for (int i = 0; i < n; i++) {
        x[i] = 0.001f * (i % 1000);
        y[i] = 1.0f;
    }
    float *dx, *dy, *dout;
    CHECK(cudaMalloc(&dx, n * sizeof(float)));
    CHECK(cudaMalloc(&dy, n * sizeof(float)));
    CHECK(cudaMalloc(&dout, n * sizeof(float)));
    cudaStream_t streams[2];
    for (auto &stream : streams) CHECK(cudaStreamCreate(&stream));

    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    const int grid = 8 * prop.multiProcessorCount;
    const int half = (n + 1) / 2;
    for (int s = 0; s < 2; s++) {
        const int first = s * half;
        const int count = s == 0 ? half : n - half;
        if (count == 0) continue;
        CHECK(cudaMemcpyAsync(dx + first, &x[first], count * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
        CHECK(cudaMemcpyAsync(dy + first, &y[first], count * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
        for (int r = 0; r < o.repeats; r++) {
            scale<<<grid, o.block, 0, streams[s]>>>(dx + first, 0.5f, count);
            axpy<<<grid, o.block, 0, streams[s]>>>(dx + first, dy + first, 2.0f, count);
        }
    }
    CHECK(cudaDeviceSynchronize());
    triad<<<(n + o.block - 1) / o.block, o.block>>>(dout, dx, dy, 3.0f, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result.data(), dout, n * sizeof(float), cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < n; i++) {
        float a = x[i], b = y[i];
        for (int r = 0; r < o.repeats; r++) {
            a *= 0.5f;
            b = 2.0f * a + b;
        }
        wrong += fabsf(result[i] - (a + 3.0f * b)) > 1e-3f;
    }
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    for (auto &stream : streams) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFree(dout));
    return wrong != 0;
}
