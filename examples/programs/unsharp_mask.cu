//pass
// the sizes of its own launches
// Sharpens an image: a separable Gaussian blur with its weights in constant memory, rows and then columns through
// shared memory with a halo on either side, and a third kernel that amplifies what the blur took away.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

constexpr int TILE = 16;
constexpr int RADIUS = 4;

__constant__ float gaussian[2 * RADIUS + 1];

// ---- Kernels --------------------------------------------------------------------------------------------

__device__ __forceinline__ int clamped(int value, int limit)
{
    return min(max(value, 0), limit - 1);
}

template <int HALO>
__global__ void __launch_bounds__(TILE * TILE)
blur_rows(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 2 * HALO];
    const int left = blockIdx.x * TILE;
    const int y = blockIdx.y * TILE + threadIdx.y;
    const int source_row = clamped(y, height) * width;

    for (int column = threadIdx.x; column < TILE + 2 * HALO; column += TILE) {
        tile[threadIdx.y][column] = in[source_row + clamped(left + column - HALO, width)];
    }
    __syncthreads();

    const int x = left + threadIdx.x;
    if (x < width && y < height) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * HALO; k++) {
            sum += gaussian[k] * tile[threadIdx.y][threadIdx.x + k];
        }
        out[y * width + x] = sum;
    }
}

template <int HALO>
__global__ void __launch_bounds__(TILE * TILE)
blur_columns(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    __shared__ float tile[TILE + 2 * HALO][TILE];
    const int top = blockIdx.y * TILE;
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int source_column = clamped(x, width);

    for (int row = threadIdx.y; row < TILE + 2 * HALO; row += TILE) {
        tile[row][threadIdx.x] = in[clamped(top + row - HALO, height) * width + source_column];
    }
    __syncthreads();

    const int y = top + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * HALO; k++) {
            sum += gaussian[k] * tile[threadIdx.y + k][threadIdx.x];
        }
        out[y * width + x] = sum;
    }
}

__global__ void sharpen(const float *__restrict__ blurred, float *__restrict__ image, float amount, int width,
                        int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int i = y * width + x;
    image[i] = __saturatef(image[i] + amount * (image[i] - blurred[i]));
}

// ---- Host -------------------------------------------------------------------------------------------------

#define checked(call)                                                                        \
    if (cudaError_t status_ = (call)) {                                                      \
        std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status_));         \
        std::exit(1);                                                                        \
    }

struct DeviceFree {
    void operator()(float *pointer) const { cudaFree(pointer); }
};
using DeviceImage = std::unique_ptr<float[], DeviceFree>;

static DeviceImage device_image(size_t pixels)
{
    float *pointer;
    checked(cudaMalloc(reinterpret_cast<void **>(&pointer), pixels * sizeof(float)));
    return DeviceImage(pointer);
}

static std::vector<float> gaussian_weights(float sigma)
{
    std::vector<float> weights(2 * RADIUS + 1);
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++) {
        sum += weights[k + RADIUS] = std::exp(-0.5f * k * k / (sigma * sigma));
    }
    for (float &weight : weights) {
        weight /= sum;
    }
    return weights;
}

static float host_blur(const std::vector<float> &image, const std::vector<float> &weights, int width, int height, int x,
                       int y)
{
    auto inside = [](int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; };
    float sum = 0.0f;
    for (int v = -RADIUS; v <= RADIUS; v++) {
        float row = 0.0f;
        for (int u = -RADIUS; u <= RADIUS; u++) {
            row += weights[u + RADIUS] * image[inside(y + v, height) * width + inside(x + u, width)];
        }
        sum += weights[v + RADIUS] * row;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int width = 640, height = 480;
    float amount = 1.5f;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--width") == 0) {
            width = std::atoi(argv[i + 1]);
        } else if (std::strcmp(argv[i], "--height") == 0) {
            height = std::atoi(argv[i + 1]);
        } else if (std::strcmp(argv[i], "--amount") == 0) {
            amount = std::strtof(argv[i + 1], nullptr);
        }
    }

    cudaDeviceProp properties;
    checked(cudaGetDeviceProperties(&properties, 0));
    std::printf("%s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);

    const size_t pixels = size_t(width) * height;
    std::vector<float> image(pixels), result(pixels);
    for (size_t i = 0; i < pixels; i++) {
        image[i] = 0.5f + 0.4f * std::sin(0.1f * (i % width)) * std::cos(0.07f * (i / width));
    }
    const std::vector<float> weights = gaussian_weights(1.5f);

    DeviceImage sharp = device_image(pixels), rows = device_image(pixels), blurred = device_image(pixels);
    checked(cudaMemcpyToSymbol(gaussian, weights.data(), weights.size() * sizeof(float)));
    checked(cudaMemcpy(sharp.get(), image.data(), pixels * sizeof(float), cudaMemcpyHostToDevice));

    const dim3 block(TILE, TILE);
    const dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    blur_rows<RADIUS><<<grid, block>>>(sharp.get(), rows.get(), width, height);
    blur_columns<RADIUS><<<grid, block>>>(rows.get(), blurred.get(), width, height);
    sharpen<<<grid, block>>>(blurred.get(), sharp.get(), amount, width, height);
    checked(cudaPeekAtLastError());
    checked(cudaMemcpy(result.data(), sharp.get(), pixels * sizeof(float), cudaMemcpyDeviceToHost));

    float error = 0.0f;
    for (size_t i = 0; i < pixels; i += 1 + pixels / 5000) {
        const float blur = host_blur(image, weights, width, height, i % width, i / width);
        const float right = std::fmin(std::fmax(image[i] + amount * (image[i] - blur), 0.0f), 1.0f);
        error = std::fmax(error, std::fabs(result[i] - right));
    }
    std::printf("%d x %d pixels, largest error %g: %s\n", width, height, error, error < 1e-4f ? "PASSED" : "FAILED");
    return error < 1e-4f ? 0 : 1;
}
