//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// As field_through_helper.cu, but the function mistakes the pitch.
#include <cuda_runtime.h>
#include <cstdlib>

struct Image {
    int width, height, pitch;
    int *pixels;
};

__global__ void fill(Image image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < image.width && y < image.height) image.pixels[y * image.pitch + x] = y; //~ race
}

static void prepare(Image &image, int width, int height)
{
    if (width < 1 || height < 1 || width > 4096 || height > 4096) exit(1);
    image.width = width;
    image.height = height;
    image.pitch = (width + 31) / 64 * 32;
    cudaMalloc(&image.pixels, sizeof(int) * image.pitch * height);
}

struct Renderer {
    Image image;
    void run() { fill<<<dim3((image.width + 31) / 32, image.height), 32>>>(image); }
};

int main(int argc, char **argv)
{
    Renderer renderer{};
    prepare(renderer.image, atoi(argv[1]), atoi(argv[2]));
    renderer.run();
    return 0;
}
