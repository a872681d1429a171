// program: C = alpha A B + beta C by shared-memory tiles, float and double, any sizes
// defect: gemm: race: no barrier between the products of a tile and the loads of the next
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

inline void throw_on_error(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        std::stringstream message;
        message << file << '(' << line << "): " << cudaGetErrorString(code);
        throw std::runtime_error(message.str());
    }
}
#define CUDA_TRY(x) throw_on_error((x), __FILE__, __LINE__)

template <typename T, int TILE>
__global__ void gemm(const T *a, const T *b, T *c, int m, int n, int k, T alpha, T beta)
{
    __shared__ T as[TILE][TILE];
    __shared__ T bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
        const int ak = t * TILE + threadIdx.x;
        const int bk = t * TILE + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ak < k ? a[row * k + ak] : T(0); //~ race
        bs[threadIdx.y][threadIdx.x] = bk < k && column < n ? b[bk * n + column] : T(0); //~ race
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x]; //~ race
        }
#ifndef DEFECT
        __syncthreads();
#endif
    }
    if (row < m && column < n) {
        c[row * n + column] = alpha * sum + beta * c[row * n + column];
    }
}

struct DeviceDeleter {
    void operator()(void *p) const { cudaFree(p); }
};
template <typename T>
using DeviceArray = std::unique_ptr<T[], DeviceDeleter>;

template <typename T>
DeviceArray<T> to_device(const std::vector<T> &host)
{
    T *p = nullptr;
    CUDA_TRY(cudaMalloc(&p, host.size() * sizeof(T)));
    CUDA_TRY(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return DeviceArray<T>(p);
}

template <typename T>
bool run(int m, int n, int k)
{
    std::vector<T> a(m * k), b(k * n), c(m * n, T(1));
    for (size_t i = 0; i < a.size(); i++) a[i] = T(i % 13) / 13;
    for (size_t i = 0; i < b.size(); i++) b[i] = T(i % 7) / 7;
    auto da = to_device(a), db = to_device(b), dc = to_device(c);
    constexpr int TILE = 16;
    const dim3 block(TILE, TILE);
    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    cudaEvent_t begin, end;
    CUDA_TRY(cudaEventCreate(&begin));
    CUDA_TRY(cudaEventCreate(&end));
    CUDA_TRY(cudaEventRecord(begin));
    gemm<T, TILE><<<grid, block>>>(da.get(), db.get(), dc.get(), m, n, k, T(2), T(0.5));
    CUDA_TRY(cudaEventRecord(end));
    CUDA_TRY(cudaEventSynchronize(end));
    float ms = 0;
    CUDA_TRY(cudaEventElapsedTime(&ms, begin, end));
    std::vector<T> result(m * n);
    CUDA_TRY(cudaMemcpy(result.data(), dc.get(), result.size() * sizeof(T), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += double(a[i * k + l]) * b[l * n + j];
            worst = std::max(worst, std::fabs(2 * sum + 0.5 - result[i * n + j]));
        }
    }
    std::cout << m << 'x' << n << 'x' << k << ": " << 2.0 * m * n * k / (ms * 1e6) << " GFLOP/s\n";
    return worst < 1e-2;
}

int main(int argc, char **argv)
try {
    int m = 300, n = 200, k = 100;
    if (argc == 4) {
        m = std::stoi(argv[1]);
        n = std::stoi(argv[2]);
        k = std::stoi(argv[3]);
    }
    if (m < 1 || n < 1 || k < 1 || m > 10000 || n > 10000 || k > 10000) {
        throw std::invalid_argument("sizes are between 1 and 10000");
    }
    return run<float>(m, n, k) && run<double>(m, n, k) ? 0 : 1;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
