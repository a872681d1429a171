// Host code with the standard library beside device code that uses what there is of it on devices.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <math.h>
#include <memory>
#include <numeric>
#include <random>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <thread>
#include <vector>

using namespace std;

#define CHECK(call)                                                                                                  \
    do {                                                                                                             \
        cudaError_t error = (call);                                                                                  \
        if (error != cudaSuccess) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                           \
            exit(EXIT_FAILURE);                                                                                      \
        }                                                                                                            \
    } while (0)

template <typename T> __global__ void functions(T *a, const T *__restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i >= 0);
    if (i >= n) return;
    T x = b[i], s, c;
    a[i] = std::sqrt(x) + sqrt(x) + std::fabs(x) + std::abs(x) + abs(x) + std::max(x, T(1)) + std::min<T>(x, 2);
    a[i] += max(x, a[i]) + pow(x, 2) + std::pow(x, T(2)) + fmin(x, a[i]) + exp(x) + std::exp(x) + sin(i) + sqrt(n);
    a[i] += std::isnan(x) + isnan(x) + isinf(x) + std::isfinite(x) + std::signbit(x) + isfinite(i);
    a[i] += std::atan2(x, x) + fma(x, x, x) + std::fma(x, x, x) + hypot(x, a[i]) + std::lround(x) + std::copysign(x, x);
    a[i] += abs(i) + std::abs(i) + std::abs((long)i) + min(i, n) + max((unsigned)i, 3u) + std::max(i, n) + min(3, 4u);
    a[i] += std::numeric_limits<T>::max() + INFINITY + NAN + M_PI + rsqrt(x) + rsqrtf(x) + cospi(x) + modf(x, &s);
    sincos(x, &s, &c);
    printf("%d %f\n", i, (double)(s + c));
    memset(a, 0, 4);
    memcpy(a, b, 16);
    std::memcpy(a, b, 8);
}

struct Functor {
    __host__ __device__ float operator()(float x) const { return sqrtf(x) + std::sqrt(x) + fminf(x, 1.f) + powf(x, 2); }
};
__host__ __device__ inline double both(double x) { return exp(x) + max(x, 1.0) + fmax(x, 2.0) + isnan(x) + abs(x); }

__constant__ float table[256];
__device__ int counter;
__managed__ int managed;

template <typename F> __global__ void apply(F function, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) function(i);
}

int main() {
    std::vector<float> values(1 << 20);
    std::iota(values.begin(), values.end(), 0.f);
    std::sort(values.begin(), values.end(), std::greater<float>());
    std::mt19937 generator(42);
    std::uniform_real_distribution<float> distribution(0, 1);
    auto begin = std::chrono::high_resolution_clock::now();
    float *a = nullptr, *b;
    CHECK(cudaMalloc(&a, values.size() * sizeof(float)));
    CHECK(cudaMalloc((void **)&b, values.size() * sizeof(float)));
    CHECK(cudaMemcpy(a, values.data(), 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, values.data(), sizeof(table)));
    CHECK(cudaMemcpyFromSymbol(values.data(), counter, sizeof(int)));
    dim3 grid((values.size() + 255) / 256), block(256, 1, 1);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    functions<float><<<grid, block, 1024, stream>>>(a, b, values.size());
    functions<<<1, 2>>>((double *)a, (double *)b, 3);
    apply<<<1, 2>>>([=] __device__(int i) { a[i] = i; }, 3);
    CHECK(cudaGetLastError());
    std::unique_ptr<float, decltype(&cudaFree)> owner(a, cudaFree);
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, functions<float>, 256, 0);
    cudaFuncSetAttribute(functions<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    void *arguments[] = {&a, &b, &blocks};
    cudaLaunchKernel((void *)functions<float>, grid, block, arguments, 0, stream);
    std::complex<float> z(1, 2);
    std::cout << std::abs(z) << sin(1.0) << max(1, 2) << std::max(1.f, 2.f) << fabs(2.0f) << rsqrtf(3.f) << abs(-3)
              << both(3) << Functor()(2) << pow(2.0f, 2) << distribution(generator) << begin.time_since_epoch().count();
}
