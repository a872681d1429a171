// program: radix sort from the lowest digit: histogram, scan and stable scatter per digit
// defect: digit_histogram: race: the digits of a block are counted without atomics
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <vector>

constexpr int RADIX_BITS = 4;
constexpr int RADIX = 1 << RADIX_BITS;
constexpr int BLOCK = 128;

#define TRY(x)                                                                                \
    do {                                                                                      \
        if (auto e = (x); e != cudaSuccess) {                                                 \
            std::cerr << __FILE__ << ':' << __LINE__ << ' ' << cudaGetErrorString(e) << '\n'; \
            std::exit(1);                                                                     \
        }                                                                                     \
    } while (false)

/* counts[digit * gridDim.x + block]: the elements of the block with this digit. */
__global__ void digit_histogram(const uint32_t *keys, uint32_t *counts, int n, int shift)
{
    __shared__ uint32_t bins[RADIX];
    if (threadIdx.x < RADIX) bins[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        const uint32_t digit = (keys[i] >> shift) & (RADIX - 1);
#ifdef DEFECT
        bins[digit]++; //~ race
#else
        atomicAdd(&bins[digit], 1u);
#endif
    }
    __syncthreads();
    if (threadIdx.x < RADIX) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

/* Exclusive scan by a single block; each thread has a chunk of the array. */
__global__ void scan_counts(uint32_t *counts, int n)
{
    __shared__ uint32_t sums[BLOCK];
    const int chunk = (n + BLOCK - 1) / BLOCK;
    const int begin = min(int(threadIdx.x) * chunk, n);
    const int end = min(begin + chunk, n);
    uint32_t sum = 0;
    for (int i = begin; i < end; i++) sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        uint32_t left = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        __syncthreads();
    }
    uint32_t running = threadIdx.x == 0 ? 0 : sums[threadIdx.x - 1];
    for (int i = begin; i < end; i++) {
        const uint32_t count = counts[i];
        counts[i] = running;
        running += count;
    }
}

/* A key goes to its digit's offset in the block, plus its rank among equal digits before it. */
__global__ void scatter(const uint32_t *keys, uint32_t *out, const uint32_t *offsets, int n, int shift)
{
    __shared__ uint32_t digits[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const uint32_t key = i < n ? keys[i] : 0;
    const uint32_t digit = (key >> shift) & (RADIX - 1);
    digits[threadIdx.x] = i < n ? digit : RADIX;
    __syncthreads();
    if (i >= n) return;
    uint32_t rank = 0;
    for (unsigned j = 0; j < threadIdx.x; j++) rank += digits[j] == digit;
    out[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}

void radix_sort(uint32_t *keys, uint32_t *scratch, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    uint32_t *counts;
    TRY(cudaMalloc(&counts, RADIX * blocks * sizeof(uint32_t)));
    for (int shift = 0; shift < 32; shift += RADIX_BITS) {
        digit_histogram<<<blocks, BLOCK>>>(keys, counts, n, shift);
        scan_counts<<<1, BLOCK>>>(counts, RADIX * blocks);
        scatter<<<blocks, BLOCK>>>(keys, scratch, counts, n, shift);
        std::swap(keys, scratch);
    }
    TRY(cudaGetLastError());
    TRY(cudaDeviceSynchronize());
    TRY(cudaFree(counts));
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::stoi(argv[1]) : 100000;
    if (n <= 0 || n > (1 << 26)) {
        std::cerr << "between 1 and 2^26 keys\n";
        return 1;
    }
    std::mt19937 generator(42);
    std::vector<uint32_t> host(n);
    for (auto &key : host) key = generator();
    uint32_t *keys, *scratch;
    TRY(cudaMalloc(&keys, n * sizeof(uint32_t)));
    TRY(cudaMalloc(&scratch, n * sizeof(uint32_t)));
    TRY(cudaMemcpy(keys, host.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    radix_sort(keys, scratch, n);
    std::vector<uint32_t> sorted(n);
    TRY(cudaMemcpy(sorted.data(), keys, n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    std::sort(host.begin(), host.end());
    const bool right = sorted == host;
    std::cout << (right ? "right" : "wrong") << '\n';
    TRY(cudaFree(keys));
    TRY(cudaFree(scratch));
    return right ? 0 : 1;
}
