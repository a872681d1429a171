// program: edge detection: Gaussian blur by tiles, 3x3 median, Sobel gradient, threshold
// defect: blur: race: no barrier after the tile and its halo were loaded
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define TILE_W 32
#define TILE_H 8
#define R 2

#define CHECK(x) do { if ((x) != cudaSuccess) { fprintf(stderr, "CUDA error in %d\n", __LINE__); exit(1); } } while (0)

__constant__ float kernel2d[2 * R + 1][2 * R + 1];

__device__ __forceinline__ int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

__global__ void blur(const uint8_t *in, uint8_t *out, int width, int height)
{
    __shared__ uint8_t tile[TILE_H + 2 * R][TILE_W + 2 * R];
    const int x0 = blockIdx.x * TILE_W - R, y0 = blockIdx.y * TILE_H - R;
    for (int ty = threadIdx.y; ty < TILE_H + 2 * R; ty += TILE_H) {
        for (int tx = threadIdx.x; tx < TILE_W + 2 * R; tx += TILE_W) {
            tile[ty][tx] = in[clamp(y0 + ty, 0, height - 1) * width + clamp(x0 + tx, 0, width - 1)]; //~ race
        }
    }
#ifndef DEFECT
    __syncthreads();
#endif
    const int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = 0; j <= 2 * R; j++) {
        for (int i = 0; i <= 2 * R; i++) {
            sum += kernel2d[j][i] * tile[threadIdx.y + j][threadIdx.x + i]; //~ race
        }
    }
    out[y * width + x] = (uint8_t)(sum + 0.5f);
}

__global__ void median3x3(const uint8_t *in, uint8_t *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uint8_t v[9];
    int count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            v[count++] = in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
        }
    }
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 9; j++) {
            if (v[j] < v[i]) {
                const uint8_t t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
        }
    }
    out[y * width + x] = v[4];
}

__global__ void sobel(const uint8_t *in, float *gradient, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const uint8_t *p = in + y * width + x;
    const float gx = p[-width + 1] + 2.0f * p[1] + p[width + 1] - p[-width - 1] - 2.0f * p[-1] - p[width - 1];
    const float gy = p[width - 1] + 2.0f * p[width] + p[width + 1] - p[-width - 1] - 2.0f * p[-width] - p[-width + 1];
    gradient[y * width + x] = sqrtf(gx * gx + gy * gy);
}

__global__ void threshold(const float *gradient, uint8_t *edges, float limit, int count, int *found)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool edge = i < count && gradient[i] > limit;
    if (i < count) edges[i] = edge ? 255 : 0;
    const unsigned votes = __ballot_sync(0xffffffffu, edge);
    if ((threadIdx.x & 31) == 0 && votes) atomicAdd(found, __popc(votes));
}

int main(int argc, char **argv)
{
    const int width = argc > 1 ? std::stoi(argv[1]) : 643, height = argc > 2 ? std::stoi(argv[2]) : 479;
    const float limit = argc > 3 ? std::stof(argv[3]) : 100.0f;
    if (width < 3 || height < 3 || width > 16384 || height > 16384) return 1;
    const int count = width * height;
    std::vector<uint8_t> image(count), edges(count);
    for (int i = 0; i < count; i++) image[i] = (i % width / 40 + i / width / 40) % 2 ? 200 : 50;
    float weights[2 * R + 1][2 * R + 1];
    const int binomial[] = {1, 4, 6, 4, 1};
    for (int j = 0; j <= 2 * R; j++)
        for (int i = 0; i <= 2 * R; i++) weights[j][i] = binomial[i] * binomial[j] / 256.0f;
    CHECK(cudaMemcpyToSymbol(kernel2d, weights, sizeof(weights)));
    uint8_t *a, *b;
    float *gradient;
    int *found, host_found;
    CHECK(cudaMalloc(&a, count));
    CHECK(cudaMalloc(&b, count));
    CHECK(cudaMalloc(&gradient, count * sizeof(float)));
    CHECK(cudaMalloc(&found, sizeof(int)));
    CHECK(cudaMemset(gradient, 0, count * sizeof(float)));
    CHECK(cudaMemset(found, 0, sizeof(int)));
    CHECK(cudaMemcpy(a, image.data(), count, cudaMemcpyHostToDevice));
    const dim3 block{TILE_W, TILE_H};
    const dim3 grid{(unsigned)(width + TILE_W - 1) / TILE_W, (unsigned)(height + TILE_H - 1) / TILE_H};
    blur<<<grid, block>>>(a, b, width, height);
    median3x3<<<grid, block>>>(b, a, width, height);
    sobel<<<grid, block>>>(a, gradient, width, height);
    threshold<<<(count + 255) / 256, 256>>>(gradient, b, limit, count, found);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(edges.data(), b, count, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&host_found, found, sizeof(int), cudaMemcpyDeviceToHost));
    int expected = 0;
    for (uint8_t e : edges) expected += e == 255;
    printf("%d edge pixels, counted %d\n", host_found, expected);
    cudaFree(a);
    cudaFree(b);
    cudaFree(gradient);
    cudaFree(found);
    return host_found == expected ? 0 : 1;
}
