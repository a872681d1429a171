//pass
// the sizes of its own launches
// Equalises the histogram of a grey image. It is counted in three ways that must agree: with atomics in global memory,
// with atomics in shared memory, and without atomics in the end, by adding up one histogram of each block.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

constexpr int BINS = 256;
constexpr int BLOCK = 256;
constexpr int GRID = 60;

// ---- Kernels --------------------------------------------------------------------------------------------

__global__ void histogram_global(const uint8_t *__restrict__ pixels, unsigned int *counts, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += int(gridDim.x * blockDim.x)) {
        atomicAdd(&counts[pixels[i]], 1u);
    }
}

__device__ void clear_bins(unsigned int *bins)
{
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        bins[bin] = 0;
    }
    __syncthreads();
}

/* Counts the pixels that are the block's turn: four at a time, and those that are left over one by one. */
__device__ void count_pixels(const uint8_t *pixels, unsigned int *bins, int count)
{
    const uchar4 *quads = reinterpret_cast<const uchar4 *>(pixels);
    const int first = blockIdx.x * BLOCK + threadIdx.x;
    const int stride = gridDim.x * BLOCK;
    for (int i = first; i < count / 4; i += stride) {
        const uchar4 quad = quads[i];
        atomicAdd(&bins[quad.x], 1u);
        atomicAdd(&bins[quad.y], 1u);
        atomicAdd(&bins[quad.z], 1u);
        atomicAdd(&bins[quad.w], 1u);
    }
    const int left_over = count / 4 * 4 + first;
    if (left_over < count) {
        atomicAdd(&bins[pixels[left_over]], 1u);
    }
    __syncthreads();
}

__global__ void __launch_bounds__(BLOCK)
histogram_shared(const uint8_t *__restrict__ pixels, unsigned int *counts, int count)
{
    __shared__ unsigned int bins[BINS];
    clear_bins(bins);
    count_pixels(pixels, bins, count);
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        if (bins[bin] != 0) {
            atomicAdd(&counts[bin], bins[bin]);
        }
    }
}

__global__ void __launch_bounds__(BLOCK)
histogram_of_blocks(const uint8_t *__restrict__ pixels, unsigned int *of_blocks, int count)
{
    __shared__ unsigned int bins[BINS];
    clear_bins(bins);
    count_pixels(pixels, bins, count);
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        of_blocks[blockIdx.x * BINS + bin] = bins[bin];
    }
}

__global__ void add_up(const unsigned int *__restrict__ of_blocks, unsigned int *__restrict__ counts, int blocks)
{
    const int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin < BINS) {
        unsigned int sum = 0;
        for (int block = 0; block < blocks; block++) {
            sum += of_blocks[block * BINS + bin];
        }
        counts[bin] = sum;
    }
}

__constant__ uint8_t new_level[BINS];

__global__ void replace_levels(uint8_t *pixels, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += int(gridDim.x * blockDim.x)) {
        pixels[i] = new_level[pixels[i]];
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

using Histogram = std::array<unsigned int, BINS>;

[[noreturn]] static void give_up(const std::string &what, cudaError_t status)
{
    std::cerr << what << ": " << cudaGetErrorString(status) << '\n';
    std::exit(EXIT_FAILURE);
}
#define OK(call) if (cudaError_t status = (call); status != cudaSuccess) give_up(#call, status)

class Timer {
public:
    Timer() { OK(cudaEventCreate(&begin_)); OK(cudaEventCreate(&end_)); OK(cudaEventRecord(begin_, 0)); }
    ~Timer() { cudaEventDestroy(begin_); cudaEventDestroy(end_); }
    float milliseconds()
    {
        float elapsed = 0;
        OK(cudaEventRecord(end_, 0));
        OK(cudaEventSynchronize(end_));
        OK(cudaEventElapsedTime(&elapsed, begin_, end_));
        return elapsed;
    }

private:
    cudaEvent_t begin_{}, end_{};
};

template <typename Launch>
static Histogram measure(const char *name, unsigned int *counts, Launch launch)
{
    Histogram result;
    OK(cudaMemset(counts, 0, sizeof(result)));
    Timer timer;
    launch();
    OK(cudaGetLastError());
    std::cout << name << ": " << timer.milliseconds() << " ms\n";
    OK(cudaMemcpy(result.data(), counts, sizeof(result), cudaMemcpyDeviceToHost));
    return result;
}

int main(int argc, char *argv[])
{
    const int count = argc > 1 ? std::max(1, std::stoi(argv[1])) : 2000 * 1500 + 1;
    std::vector<uint8_t> image(count);
    Histogram right{};
    for (int i = 0; i < count; i++) {
        image[i] = static_cast<uint8_t>(60 + (i * 37 + i / 100) % 90);
        right[image[i]]++;
    }

    uint8_t *pixels;
    unsigned int *counts, *of_blocks;
    OK(cudaMalloc(&pixels, count));
    OK(cudaMalloc(&counts, sizeof(Histogram)));
    OK(cudaMalloc(&of_blocks, GRID * sizeof(Histogram)));
    OK(cudaMemcpy(pixels, image.data(), count, cudaMemcpyHostToDevice));

    bool passed = right == measure("global atomics", counts, [=] {
        histogram_global<<<GRID, BLOCK>>>(pixels, counts, count);
    });
    passed &= right == measure("shared atomics", counts, [=] {
        histogram_shared<<<GRID, BLOCK>>>(pixels, counts, count);
    });
    passed &= right == measure("one per block", counts, [=] {
        histogram_of_blocks<<<GRID, BLOCK>>>(pixels, of_blocks, count);
        add_up<<<1, BLOCK>>>(of_blocks, counts, GRID);
    });

    std::array<uint8_t, BINS> levels{};
    unsigned long long until = 0;
    for (int level = 0; level < BINS; level++) {
        until += right[level];
        levels[level] = static_cast<uint8_t>(255 * until / count);
    }
    OK(cudaMemcpyToSymbol(new_level, levels.data(), levels.size()));
    replace_levels<<<GRID, BLOCK>>>(pixels, count);
    std::vector<uint8_t> equalised(count);
    OK(cudaMemcpy(equalised.data(), pixels, count, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) {
        passed = passed && equalised[i] == levels[image[i]];
    }

    OK(cudaFree(pixels));
    OK(cudaFree(counts));
    OK(cudaFree(of_blocks));
    std::cout << count << " pixels: " << (passed ? "PASSED" : "FAILED") << '\n';
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
