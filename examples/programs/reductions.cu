//pass
// the sizes of its own launches
// A small library of reductions: by a tree in shared memory, by shuffles, and by atomics, each a template over the
// operation and its type. A second launch of one block reduces what the blocks of the first have found.

#include <cuda_runtime.h>

#include <climits>
#include <cfloat>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <vector>

constexpr int BLOCK = 256;
constexpr int GRID = 128;
constexpr unsigned ALL_LANES = 0xffffffff;

// ---- Operations -------------------------------------------------------------------------------------------

template <typename T>
struct Sum {
    static __host__ __device__ T neutral() { return T(0); }
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T>
struct Largest;

template <>
struct Largest<int> {
    static __host__ __device__ int neutral() { return INT_MIN; }
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <>
struct Largest<float> {
    static __host__ __device__ float neutral() { return -FLT_MAX; }
    __host__ __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

// ---- Kernels --------------------------------------------------------------------------------------------

/* What a thread finds in the elements that are its turn. */
template <typename T, typename Operation>
__device__ T of_own_elements(const T *in, int count, Operation operation)
{
    T result = Operation::neutral();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += int(gridDim.x * BLOCK)) {
        result = operation(result, in[i]);
    }
    return result;
}

template <typename T, typename Operation>
__global__ void __launch_bounds__(BLOCK) reduce_tree(const T *__restrict__ in, T *__restrict__ out, int count)
{
    __shared__ T partial[BLOCK];
    const Operation operation{};
    const int t = threadIdx.x;
    partial[t] = of_own_elements(in, count, operation);
    __syncthreads();

    for (int half = BLOCK / 2; half > 0; half >>= 1) {
        if (t < half) {
            partial[t] = operation(partial[t], partial[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = partial[0];
    }
}

template <typename T, typename Operation>
__device__ T of_warp(T value, Operation operation)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1) {
        value = operation(value, __shfl_xor_sync(ALL_LANES, value, distance));
    }
    return value;
}

template <typename T, typename Operation>
__global__ void __launch_bounds__(BLOCK) reduce_shuffles(const T *__restrict__ in, T *__restrict__ out, int count)
{
    constexpr int WARPS = BLOCK / 32;
    __shared__ T of_warps[WARPS];
    const Operation operation{};
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;

    T value = of_warp(of_own_elements(in, count, operation), operation);
    if (lane == 0) {
        of_warps[warp] = value;
    }
    __syncthreads();
    if (warp == 0) {
        value = of_warp(lane < WARPS ? of_warps[lane] : Operation::neutral(), operation);
        if (lane == 0) {
            out[blockIdx.x] = value;
        }
    }
}

__global__ void __launch_bounds__(BLOCK) sum_atomic(const int *__restrict__ in, int *total, int count)
{
    __shared__ int of_block;
    if (threadIdx.x == 0) {
        of_block = 0;
    }
    __syncthreads();
    const int sum = of_warp(of_own_elements(in, count, Sum<int>{}), Sum<int>{});
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&of_block, sum);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(total, of_block);
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

static bool failed = false;

static void must(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::cerr << cudaGetErrorString(status) << std::endl;
        exit(2);
    }
}

template <typename T>
class Vector {
public:
    explicit Vector(size_t size) : size_(size) { must(cudaMalloc((void **)&data_, size * sizeof(T))); }
    explicit Vector(const std::vector<T> &values) : Vector(values.size())
    {
        must(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Vector() { cudaFree(data_); }
    Vector(const Vector &) = delete;
    Vector &operator=(const Vector &) = delete;
    T *begin() { return data_; }
    T front() const
    {
        T value;
        must(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDeviceToHost));
        return value;
    }

private:
    T *data_ = nullptr;
    size_t size_;
};

template <typename T>
static void report(const char *name, T found, T right)
{
    const bool equal = found == right;
    std::cout << std::left << std::setw(24) << name << found << (equal ? "" : "  WRONG") << "\n";
    failed = failed || !equal;
}

template <typename T, typename Operation>
static void run(const char *name, const std::vector<T> &values)
{
    const T right = std::accumulate(values.begin(), values.end(), Operation::neutral(), Operation());
    const int count = static_cast<int>(values.size());
    Vector<T> in(values), of_blocks(GRID), result(1);

    reduce_tree<T, Operation><<<GRID, BLOCK>>>(in.begin(), of_blocks.begin(), count);
    reduce_tree<T, Operation><<<1, BLOCK>>>(of_blocks.begin(), result.begin(), GRID);
    report((std::string(name) + ", tree").c_str(), result.front(), right);

    reduce_shuffles<T, Operation><<<GRID, BLOCK>>>(in.begin(), of_blocks.begin(), count);
    reduce_shuffles<T, Operation><<<1, BLOCK>>>(of_blocks.begin(), result.begin(), GRID);
    report((std::string(name) + ", shuffles").c_str(), result.front(), right);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::stoi(argv[1]) : 1000003;
    std::vector<int> integers(count);
    std::vector<float> floats(count);
    for (int i = 0; i < count; i++) {
        integers[i] = i % 17 - 8;
        floats[i] = float(i % 1013) - 500.0f;
    }
    run<int, Sum<int>>("sum of integers", integers);
    run<int, Largest<int>>("largest integer", integers);
    run<float, Largest<float>>("largest float", floats);

    Vector<int> in(integers), total(1);
    must(cudaMemset(total.begin(), 0, sizeof(int)));
    sum_atomic<<<GRID, BLOCK>>>(in.begin(), total.begin(), count);
    report("sum of integers, atomic", total.front(), std::accumulate(integers.begin(), integers.end(), 0));

    must(cudaDeviceSynchronize());
    std::cout << (failed ? "FAILED" : "PASSED") << std::endl;
    return failed ? 1 : 0;
}
