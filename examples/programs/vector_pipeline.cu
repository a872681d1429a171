//pass
// the sizes of its own launches
// Chunks of a vector go through three kernels in four streams, copied to the device and back beside the
// computation. All kernels have grid-stride loops, so that the launch fits a vector of any length.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                                  \
    do {                                                                                                  \
        cudaError_t status_ = (call);                                                                     \
        if (status_ != cudaSuccess) {                                                                     \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_)); \
            std::exit(EXIT_FAILURE);                                                                      \
        }                                                                                                 \
    } while (0)

constexpr int BLOCK = 256;
constexpr int GRID = 64;
constexpr int STREAMS = 4;

// ---- Kernels --------------------------------------------------------------------------------------------

template <typename T>
__global__ void __launch_bounds__(BLOCK)
scale_and_shift(const T *__restrict__ in, T *__restrict__ out, T scale, T shift, int count)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        out[i] = scale * in[i] + shift;
    }
}

__global__ void __launch_bounds__(BLOCK) smooth(const float *__restrict__ in, float *__restrict__ out, int count)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const float left = in[max(i - 1, 0)];
        const float right = in[min(i + 1, count - 1)];
        out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
    }
}

__global__ void __launch_bounds__(BLOCK) square_roots(float *data, int count)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const float value = data[i];
        data[i] = value > 0.0f ? sqrtf(value) : 0.0f;
    }
}

// ---- Resources ------------------------------------------------------------------------------------------

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t count) : count_(count) { CUDA_CHECK(cudaMalloc(&data_, count * sizeof(T))); }
    ~DeviceBuffer() { cudaFree(data_); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    T *get() { return data_; }
    size_t bytes() const { return count_ * sizeof(T); }

private:
    T *data_ = nullptr;
    size_t count_;
};

/* Page-locked memory: only from there copies run beside kernels. */
template <typename T>
class PinnedBuffer {
public:
    explicit PinnedBuffer(size_t count) { CUDA_CHECK(cudaMallocHost((void **)&data_, count * sizeof(T))); }
    ~PinnedBuffer() { cudaFreeHost(data_); }
    PinnedBuffer(const PinnedBuffer &) = delete;
    PinnedBuffer &operator=(const PinnedBuffer &) = delete;
    T &operator[](size_t i) { return data_[i]; }
    T *get() { return data_; }

private:
    T *data_ = nullptr;
};

struct Lane {
    cudaStream_t stream;
    DeviceBuffer<float> input;
    DeviceBuffer<float> scratch;

    explicit Lane(size_t count) : input(count), scratch(count) { CUDA_CHECK(cudaStreamCreate(&stream)); }
    ~Lane() { cudaStreamDestroy(stream); }
};

// ---- The same on the host -----------------------------------------------------------------------------

static std::vector<float> expected(PinnedBuffer<float> &in, int count, int chunk)
{
    std::vector<float> result(count);
    for (int first = 0; first < count; first += chunk) {
        const int last = std::min(first + chunk, count) - 1;
        auto scaled = [&](int i) { return 2.0f * in[std::min(std::max(i, first), last)] + 1.0f; };
        for (int i = first; i <= last; i++) {
            const float value = 0.25f * scaled(i - 1) + 0.5f * scaled(i) + 0.25f * scaled(i + 1);
            result[i] = value > 0.0f ? std::sqrt(value) : 0.0f;
        }
    }
    return result;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 1 << 22;
    if (count <= 0) {
        std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
        return EXIT_FAILURE;
    }
    const int chunk = std::max(1, (count + 2 * STREAMS - 1) / (2 * STREAMS));

    PinnedBuffer<float> in(count), out(count);
    for (int i = 0; i < count; i++) {
        in[i] = std::sin(0.001f * i) * 10.0f;
    }

    std::vector<Lane *> lanes;
    for (int s = 0; s < STREAMS; s++) {
        lanes.push_back(new Lane(chunk));
    }
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));

    CUDA_CHECK(cudaEventRecord(start));
    int turn = 0;
    for (int first = 0; first < count; first += chunk, turn++) {
        Lane &lane = *lanes[turn % STREAMS];
        const int size = std::min(chunk, count - first);
        const size_t bytes = size * sizeof(float);
        CUDA_CHECK(cudaMemcpyAsync(lane.input.get(), in.get() + first, bytes, cudaMemcpyHostToDevice, lane.stream));
        scale_and_shift<float><<<GRID, BLOCK, 0, lane.stream>>>(lane.input.get(), lane.scratch.get(), 2.0f, 1.0f, size);
        smooth<<<GRID, BLOCK, 0, lane.stream>>>(lane.scratch.get(), lane.input.get(), size);
        square_roots<<<GRID, BLOCK, 0, lane.stream>>>(lane.input.get(), size);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(out.get() + first, lane.input.get(), bytes, cudaMemcpyDeviceToHost, lane.stream));
    }
    for (Lane *lane : lanes) {
        CUDA_CHECK(cudaStreamSynchronize(lane->stream));
    }
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0.0f;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    std::printf("%d elements in %d chunks: %.3f ms\n", count, turn, milliseconds);

    const std::vector<float> reference = expected(in, count, chunk);
    float error = 0.0f;
    for (int i = 0; i < count; i++) {
        error = std::max(error, std::fabs(out[i] - reference[i]));
    }
    for (Lane *lane : lanes) {
        delete lane;
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    std::printf("largest error %g: %s\n", error, error < 1e-4f ? "PASSED" : "FAILED");
    return error < 1e-4f ? EXIT_SUCCESS : EXIT_FAILURE;
}
