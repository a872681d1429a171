// program: equalises a grey image: shared histogram, table in constant memory, remap
// defect: count_pixels: race: no barrier between clearing the bins and counting
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define BINS 256

#define cudaCheck(ans) { gpu_assert((ans), __FILE__, __LINE__); }
inline void gpu_assert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPU error: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

struct Image {
    int width;
    int height;
    int pitch;
    unsigned char *pixels;
};

__constant__ unsigned char lookup[BINS];

__global__ void count_pixels(Image image, unsigned int *histogram)
{
    __shared__ unsigned int bins[BINS];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    for (int b = tid; b < BINS; b += blockDim.x * blockDim.y) {
        bins[b] = 0; //~ race
    }
#ifndef DEFECT
    __syncthreads();
#endif
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < image.width && y < image.height) {
        atomicAdd(&bins[image.pixels[y * image.pitch + x]], 1u); //~ race
    }
    __syncthreads();
    for (int b = tid; b < BINS; b += blockDim.x * blockDim.y) {
        if (bins[b] > 0) {
            atomicAdd(&histogram[b], bins[b]);
        }
    }
}

__global__ void remap(Image image)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.width || y >= image.height) {
        return;
    }
    unsigned char *pixel = &image.pixels[y * image.pitch + x];
    *pixel = lookup[*pixel];
}

static int usage(const char *name)
{
    fprintf(stderr, "usage: %s [--width W] [--height H]\n", name);
    return 1;
}

int main(int argc, char **argv)
{
    Image host = {1001, 701, 0, nullptr};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--width") == 0 && i + 1 < argc) {
            host.width = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--height") == 0 && i + 1 < argc) {
            host.height = atoi(argv[++i]);
        } else {
            return usage(argv[0]);
        }
    }
    if (host.width < 1 || host.height < 1 || host.width > 16384 || host.height > 16384) {
        return usage(argv[0]);
    }
    host.pitch = (host.width + 127) / 128 * 128;
    const size_t bytes = (size_t)host.pitch * host.height;
    host.pixels = (unsigned char *)malloc(bytes);
    for (size_t i = 0; i < bytes; i++) {
        host.pixels[i] = 64 + (i * i) % 97;
    }
    Image device = host;
    unsigned int *d_histogram;
    cudaCheck(cudaMalloc(&device.pixels, bytes));
    cudaCheck(cudaMalloc(&d_histogram, BINS * sizeof(unsigned int)));
    cudaCheck(cudaMemcpy(device.pixels, host.pixels, bytes, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemset(d_histogram, 0, BINS * sizeof(unsigned int)));

    dim3 block(32, 8);
    dim3 grid((host.width + block.x - 1) / block.x, (host.height + block.y - 1) / block.y);
    count_pixels<<<grid, block>>>(device, d_histogram);
    cudaCheck(cudaPeekAtLastError());

    unsigned int histogram[BINS];
    cudaCheck(cudaMemcpy(histogram, d_histogram, sizeof(histogram), cudaMemcpyDeviceToHost));
    unsigned char table[BINS];
    unsigned long long below = 0;
    for (int b = 0; b < BINS; b++) {
        below += histogram[b];
        table[b] = (unsigned char)(255 * below / ((unsigned long long)host.width * host.height));
    }
    cudaCheck(cudaMemcpyToSymbol(lookup, table, sizeof(table)));
    remap<<<grid, block>>>(device);
    cudaCheck(cudaDeviceSynchronize());
    cudaCheck(cudaMemcpy(host.pixels, device.pixels, bytes, cudaMemcpyDeviceToHost));
    printf("%llu pixels, corner %d\n", below, host.pixels[0]);
    cudaFree(device.pixels);
    cudaFree(d_histogram);
    free(host.pixels);
    return below == (unsigned long long)host.width * host.height ? 0 : 1;
}
