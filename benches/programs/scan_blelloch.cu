// program: exclusive scan by Blelloch with padding against bank conflicts, several levels
// defect: prescan: race: no barrier at the start of a step of the down-sweep
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

constexpr int kLogBanks = 5;
constexpr int kBlock = 256;
constexpr int kTile = 2 * kBlock;

__host__ __device__ constexpr int padded(int i) { return i + (i >> kLogBanks); }

#define CUDA_CALL(expr)                                                                \
    if (cudaError_t err = (expr); err != cudaSuccess) {                                \
        std::cerr << #expr << ": " << cudaGetErrorString(err) << std::endl;            \
        std::exit(2);                                                                  \
    }

__global__ void prescan(unsigned *out, const unsigned *in, unsigned *block_sums, int n)
{
    __shared__ unsigned temp[padded(kTile)];
    const int tid = threadIdx.x;
    const int base = blockIdx.x * kTile;
    const int a = tid, b = tid + kBlock;
    temp[padded(a)] = base + a < n ? in[base + a] : 0;
    temp[padded(b)] = base + b < n ? in[base + b] : 0;

    int offset = 1;
    for (int d = kTile >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            const int left = padded(offset * (2 * tid + 1) - 1);
            const int right = padded(offset * (2 * tid + 2) - 1);
            temp[right] += temp[left];
        }
        offset *= 2;
    }
    if (tid == 0) {
        const int last = padded(kTile - 1);
        if (block_sums) block_sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < kTile; d *= 2) {
        offset >>= 1;
#ifndef DEFECT
        __syncthreads();
#endif
        if (tid < d) {
            const int left = padded(offset * (2 * tid + 1) - 1);
            const int right = padded(offset * (2 * tid + 2) - 1);
            const unsigned t = temp[left]; //~ race
            temp[left] = temp[right]; //~ race
            temp[right] += t; //~ race
        }
    }
    __syncthreads();
    if (base + a < n) out[base + a] = temp[padded(a)];
    if (base + b < n) out[base + b] = temp[padded(b)];
}

__global__ void uniform_add(unsigned *data, const unsigned *offsets, int n)
{
    __shared__ unsigned offset;
    if (threadIdx.x == 0) offset = offsets[blockIdx.x];
    __syncthreads();
    const int i = blockIdx.x * kTile + threadIdx.x;
    if (i < n) data[i] += offset;
    if (i + kBlock < n) data[i + kBlock] += offset;
}

class Scanner {
public:
    explicit Scanner(int n)
    {
        for (int count = tiles(n); ; count = tiles(count)) {
            unsigned *level;
            CUDA_CALL(cudaMalloc(&level, count * sizeof(unsigned)));
            levels_.push_back(level);
            if (count == 1) break;
        }
    }
    ~Scanner()
    {
        for (unsigned *level : levels_) cudaFree(level);
    }
    void scan(unsigned *out, const unsigned *in, int n) { scan(out, in, n, 0); }

private:
    static int tiles(int n) { return (n + kTile - 1) / kTile; }
    void scan(unsigned *out, const unsigned *in, int n, size_t level)
    {
        const int count = tiles(n);
        if (count == 1) {
            prescan<<<1, kBlock>>>(out, in, nullptr, n);
            return;
        }
        unsigned *sums = levels_[level];
        prescan<<<count, kBlock>>>(out, in, sums, n);
        scan(sums, sums, count, level + 1);
        uniform_add<<<count, kBlock>>>(out, sums, n);
    }
    std::vector<unsigned *> levels_;
};

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 1234567;
    if (n < 1) return 1;
    std::vector<unsigned> input(n), result(n);
    for (int i = 0; i < n; i++) input[i] = (i * 2654435761u) >> 28;
    unsigned *in, *out;
    CUDA_CALL(cudaMalloc(&in, n * sizeof(unsigned)));
    CUDA_CALL(cudaMalloc(&out, n * sizeof(unsigned)));
    CUDA_CALL(cudaMemcpy(in, input.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    {
        Scanner scanner(n);
        scanner.scan(out, in, n);
        CUDA_CALL(cudaDeviceSynchronize());
    }
    CUDA_CALL(cudaMemcpy(result.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        if (result[i] != sum) {
            std::cerr << "wrong at " << i << std::endl;
            return 1;
        }
        sum += input[i];
    }
    std::cout << "scan of " << n << " elements is right" << std::endl;
    cudaFree(in);
    cudaFree(out);
    return 0;
}
