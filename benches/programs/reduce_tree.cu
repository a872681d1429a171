// program: maximum and sum by tree reductions in dynamic shared memory, in several passes
// defect: reduce: bounds: the launch asks for half of the shared memory that the kernel fills
#include <cuda_runtime.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(status));
        exit(EXIT_FAILURE);
    }
}

struct Sum {
    __host__ __device__ static float identity() { return 0.0f; }
    __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

struct Max {
    __host__ __device__ static float identity() { return -FLT_MAX; }
    __host__ __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

template <typename Op>
__global__ void reduce(const float *in, float *out, unsigned int n, Op op)
{
    extern __shared__ float partial[];
    const unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + tid;
    float value = i < n ? in[i] : Op::identity();
    if (i + blockDim.x < n) {
        value = op(value, in[i + blockDim.x]);
    }
    partial[tid] = value; //~ bounds
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            partial[tid] = op(partial[tid], partial[tid + s]);
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = partial[0];
    }
}

/* Reduces an array on the device; the scratch buffers are owned by the object. */
template <typename Op>
class Reducer {
public:
    explicit Reducer(unsigned int capacity)
    {
        const unsigned int blocks = blocks_for(capacity);
        check(cudaMalloc(&scratch_[0], blocks * sizeof(float)), "cudaMalloc");
        check(cudaMalloc(&scratch_[1], blocks_for(blocks) * sizeof(float)), "cudaMalloc");
    }
    ~Reducer()
    {
        cudaFree(scratch_[0]);
        cudaFree(scratch_[1]);
    }
    float operator()(const float *data, unsigned int n)
    {
        int target = 0;
        const float *in = data;
        do {
            const unsigned int blocks = blocks_for(n);
#ifdef DEFECT
            const size_t bytes = threads / 2 * sizeof(float);
#else
            const size_t bytes = threads * sizeof(float);
#endif
            reduce<<<blocks, threads, bytes>>>(in, scratch_[target], n, Op());
            check(cudaGetLastError(), "reduce");
            in = scratch_[target];
            target ^= 1;
            n = blocks;
        } while (n > 1);
        float result;
        check(cudaMemcpy(&result, in, sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return result;
    }

private:
    static constexpr unsigned int threads = 256;
    static unsigned int blocks_for(unsigned int n) { return (n + 2 * threads - 1) / (2 * threads); }
    float *scratch_[2] = {nullptr, nullptr};
};

int main(int argc, char **argv)
{
    const unsigned int n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1000000;
    if (n == 0 || n > (1u << 30)) {
        fprintf(stderr, "usage: %s [elements]\n", argv[0]);
        return EXIT_FAILURE;
    }
    std::vector<float> data(n);
    for (unsigned int i = 0; i < n; i++) {
        data[i] = float((i * 7919u) % 1024u) / 1024.0f;
    }
    float *device;
    check(cudaMalloc(&device, n * sizeof(float)), "cudaMalloc");
    check(cudaMemcpy(device, data.data(), n * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    Reducer<Sum> sum(n);
    Reducer<Max> max(n);
    const float total = sum(device, n);
    const float largest = max(device, n);
    double expected = 0.0;
    for (float value : data) {
        expected += value;
    }
    const float expected_max = *std::max_element(data.begin(), data.end());
    printf("sum %f (host %f), max %f (host %f)\n", total, expected, largest, expected_max);
    cudaFree(device);
    return largest == expected_max ? EXIT_SUCCESS : EXIT_FAILURE;
}
