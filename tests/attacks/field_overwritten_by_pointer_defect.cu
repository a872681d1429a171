//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// The pointer that cudaMalloc writes lies on two of the numbers: the height is its lower half, and the
// pitch its upper half, which the host may never make as small as the race needs.
#include <cuda_runtime.h>
#include <cstdlib>

struct Image {
    int width, height, pitch;
    int *pixels;
};

__global__ void fill(Image image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < image.width && y < image.height) image.pixels[y * image.pitch + x] = y; //~? race
}

int main(int argc, char **argv)
{
    Image host = {atoi(argv[1]), atoi(argv[2]), 0, nullptr};
    if (host.width < 1 || host.height < 1 || host.width > 4096 || host.height > 4096) return 1;
    host.pitch = (host.width + 31) / 32 * 32;
    Image device = host;
    cudaMalloc(&device.pixels, sizeof(int) * host.pitch * host.height);
    cudaMalloc((void **)&device.height, 4);
    fill<<<dim3((host.width + 31) / 32, host.height), 32>>>(device);
    return 0;
}
