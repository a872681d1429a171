// program: separable convolution with a Gaussian, halos of rows and columns in shared memory
// defect: convolve_rows: bounds: the tile in shared memory has room for one halo, not for two
#include <cuda_runtime.h>

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace blur {

constexpr int RADIUS = 8;
constexpr int ROW_TILE = 128;
constexpr int COLUMN_TILE_X = 16;
constexpr int COLUMN_TILE_Y = 32;

__constant__ float weights[2 * RADIUS + 1];

__global__ void convolve_rows(float *out, const float *in, int width, int height)
{
#ifdef DEFECT
    __shared__ float tile[ROW_TILE + RADIUS];
#else
    __shared__ float tile[ROW_TILE + 2 * RADIUS];
#endif
    const int y = blockIdx.y;
    const int first = blockIdx.x * ROW_TILE - RADIUS;
    for (int i = threadIdx.x; i < ROW_TILE + 2 * RADIUS; i += ROW_TILE) {
        const int x = min(max(first + i, 0), width - 1);
        tile[i] = in[y * width + x]; //~ bounds
    }
    __syncthreads();
    const int x = blockIdx.x * ROW_TILE + threadIdx.x;
    if (x >= width) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++) {
        sum += weights[RADIUS + k] * tile[threadIdx.x + RADIUS + k]; //~ bounds
    }
    out[y * width + x] = sum;
}

__global__ void convolve_columns(float *out, const float *in, int width, int height)
{
    __shared__ float tile[COLUMN_TILE_Y + 2 * RADIUS][COLUMN_TILE_X];
    const int x = blockIdx.x * COLUMN_TILE_X + threadIdx.x;
    const int first = blockIdx.y * COLUMN_TILE_Y - RADIUS;
    for (int i = threadIdx.y; i < COLUMN_TILE_Y + 2 * RADIUS; i += blockDim.y) {
        const int y = min(max(first + i, 0), height - 1);
        tile[i][threadIdx.x] = x < width ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.y; i < COLUMN_TILE_Y; i += blockDim.y) {
        const int y = blockIdx.y * COLUMN_TILE_Y + i;
        if (x < width && y < height) {
            float sum = 0.0f;
            for (int k = 0; k <= 2 * RADIUS; k++) {
                sum += weights[k] * tile[i + k][threadIdx.x];
            }
            out[y * width + x] = sum;
        }
    }
}

class Filter {
public:
    Filter(int width, int height) : width_(width), height_(height)
    {
        ok(cudaMalloc(&a_, bytes()));
        ok(cudaMalloc(&b_, bytes()));
        std::vector<float> host(2 * RADIUS + 1);
        float sum = 0.0f;
        for (int k = 0; k <= 2 * RADIUS; k++) sum += host[k] = std::exp(-0.05f * (k - RADIUS) * (k - RADIUS));
        for (float &w : host) w /= sum;
        ok(cudaMemcpyToSymbol(weights, host.data(), host.size() * sizeof(float)));
    }
    ~Filter()
    {
        cudaFree(a_);
        cudaFree(b_);
    }
    void apply(std::vector<float> &image, int times)
    {
        ok(cudaMemcpy(a_, image.data(), bytes(), cudaMemcpyHostToDevice));
        const dim3 row_grid((width_ + ROW_TILE - 1) / ROW_TILE, height_);
        const dim3 column_block(COLUMN_TILE_X, 8);
        const dim3 column_grid((width_ + COLUMN_TILE_X - 1) / COLUMN_TILE_X,
                               (height_ + COLUMN_TILE_Y - 1) / COLUMN_TILE_Y);
        for (int t = 0; t < times; t++) {
            convolve_rows<<<row_grid, ROW_TILE>>>(b_, a_, width_, height_);
            convolve_columns<<<column_grid, column_block>>>(a_, b_, width_, height_);
        }
        ok(cudaGetLastError());
        ok(cudaMemcpy(image.data(), a_, bytes(), cudaMemcpyDeviceToHost));
    }

private:
    size_t bytes() const { return sizeof(float) * width_ * height_; }
    static void ok(cudaError_t status)
    {
        if (status == cudaSuccess) return;
        std::cerr << cudaGetErrorString(status) << std::endl;
        std::exit(EXIT_FAILURE);
    }
    int width_, height_;
    float *a_ = nullptr, *b_ = nullptr;
};

} // namespace blur

int main(int argc, char **argv)
{
    int width = 1023, height = 777, times = 3;
    if (argc > 2) {
        width = std::stoi(argv[1]);
        height = std::stoi(argv[2]);
    }
    if (argc > 3) times = std::stoi(argv[3]);
    if (width < 1 || height < 1 || width > 20000 || height > 20000) {
        std::cerr << "usage: " << argv[0] << " [width height [times]]" << std::endl;
        return EXIT_FAILURE;
    }
    std::vector<float> image(width * height, 1.0f);
    blur::Filter filter(width, height);
    filter.apply(image, times);
    double worst = 0.0;
    for (float p : image) worst = std::max(worst, std::fabs(p - 1.0));
    std::cout << "a constant image changes by " << worst << std::endl;
    return worst < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
