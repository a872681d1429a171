//pass
// the sizes of its own launches
// Keeps the elements above a threshold, in their order: a scan of any length, built from CUB's scan of a block, counts
// those kept up to each element, and then each thread looks up the element that belongs to its place of the result.

#include <cuda_runtime.h>
#include <cub/cub.cuh>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CUDA_TRY(expression)                                                                           \
    {                                                                                                  \
        const cudaError_t error = expression;                                                          \
        if (error != cudaSuccess) {                                                                    \
            std::fprintf(stderr, "%s failed in line %d: %s\n", #expression, __LINE__, cudaGetErrorString(error)); \
            std::abort();                                                                              \
        }                                                                                              \
    }

constexpr int BLOCK = 256;
using BlockScan = cub::BlockScan<int, BLOCK, cub::BLOCK_SCAN_WARP_SCANS>;
using BlockReduce = cub::BlockReduce<int, BLOCK, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;

// ---- Kernels --------------------------------------------------------------------------------------------

/* 1 for what is kept, 0 for the rest. */
__global__ void flag_large(const int *__restrict__ in, int *__restrict__ flags, int threshold, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        flags[i] = in[i] > threshold ? 1 : 0;
    }
}

/* The sums of each block's elements up to and with each one, and the sum of all of them. */
__global__ void __launch_bounds__(BLOCK)
scan_blocks(const int *__restrict__ in, int *__restrict__ out, int *__restrict__ totals, int count)
{
    __shared__ BlockScan::TempStorage storage;
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    int value = i < count ? in[i] : 0;
    int total;
    BlockScan(storage).InclusiveSum(value, value, total);
    if (i < count) {
        out[i] = value;
    }
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = total;
    }
}

/* Adds to the elements of each block what the blocks before have in all. */
__global__ void __launch_bounds__(BLOCK)
add_blocks_before(int *__restrict__ sums, const int *__restrict__ totals, int count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count && blockIdx.x > 0) {
        sums[i] += totals[blockIdx.x - 1];
    }
}

/* The element that belongs to each place: the first one up to which more are kept than there are places before. */
__global__ void gather_kept(const int *__restrict__ in, const int *__restrict__ kept_until, int *__restrict__ out,
                            int count, int kept)
{
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= kept) {
        return;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (kept_until[middle] > place) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    out[place] = in[low];
}

/* A sum per block that does not depend on the order of the elements, to compare with the host's. */
__global__ void __launch_bounds__(BLOCK) check_sums(const int *in, int *sums, int count)
{
    __shared__ BlockReduce::TempStorage storage;
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int sum = BlockReduce(storage).Sum(i < count ? in[i] : 0);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

class DeviceInts {
public:
    explicit DeviceInts(int count) : count_(count)
    {
        CUDA_TRY(cudaMalloc(&data_, sizeof(int) * (count > 0 ? count : 1)));
    }
    DeviceInts(DeviceInts &&other) noexcept : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
    ~DeviceInts()
    {
        if (data_ != nullptr) {
            cudaFree(data_);
        }
    }
    int *data() { return data_; }
    int count() const { return count_; }
    int at(int i) const
    {
        int value = 0;
        CUDA_TRY(cudaMemcpy(&value, data_ + i, sizeof(int), cudaMemcpyDeviceToHost));
        return value;
    }
    std::vector<int> fetch() const
    {
        std::vector<int> values(count_);
        CUDA_TRY(cudaMemcpy(values.data(), data_, sizeof(int) * count_, cudaMemcpyDeviceToHost));
        return values;
    }

private:
    int *data_ = nullptr;
    int count_;
};

static int blocks_for(int count)
{
    return (count + BLOCK - 1) / BLOCK;
}

/* Sums up to and with each element; the sums of blocks are scanned in the same way. */
static DeviceInts scan(DeviceInts &in)
{
    const int blocks = blocks_for(in.count());
    DeviceInts sums(in.count()), totals(blocks);
    scan_blocks<<<blocks, BLOCK>>>(in.data(), sums.data(), totals.data(), in.count());
    CUDA_TRY(cudaGetLastError());
    if (blocks > 1) {
        DeviceInts total_sums = scan(totals);
        add_blocks_before<<<blocks, BLOCK>>>(sums.data(), total_sums.data(), in.count());
        CUDA_TRY(cudaGetLastError());
    }
    return sums;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 1000000;
    const int threshold = argc > 2 ? std::atoi(argv[2]) : 700;
    std::mt19937 random(7);
    std::vector<int> values(count), right;
    for (int &value : values) {
        value = static_cast<int>(random() % 1000);
        if (value > threshold) {
            right.push_back(value);
        }
    }

    DeviceInts in(count), flags(count);
    CUDA_TRY(cudaMemcpy(in.data(), values.data(), sizeof(int) * count, cudaMemcpyHostToDevice));
    const auto start = std::chrono::high_resolution_clock::now();
    flag_large<<<blocks_for(count), BLOCK>>>(in.data(), flags.data(), threshold, count);
    DeviceInts kept_until = scan(flags);
    const int kept = kept_until.at(count - 1);
    DeviceInts out(kept), sums(blocks_for(kept));
    bool passed = kept == static_cast<int>(right.size());
    if (kept > 0) {
        gather_kept<<<blocks_for(kept), BLOCK>>>(in.data(), kept_until.data(), out.data(), count, kept);
        check_sums<<<blocks_for(kept), BLOCK>>>(out.data(), sums.data(), kept);
        CUDA_TRY(cudaDeviceSynchronize());
    }
    const std::chrono::duration<double> took = std::chrono::high_resolution_clock::now() - start;

    passed = passed && out.fetch() == right;
    long long sum = 0, right_sum = 0;
    for (int part : sums.fetch()) {
        sum += part;
    }
    for (int value : right) {
        right_sum += value;
    }
    passed = passed && sum == right_sum;
    std::printf("%d of %d kept in %.3f ms: %s\n", kept, count, 1e3 * took.count(), passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
