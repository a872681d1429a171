//pass
//--local_size=[16,16] --num_groups=[4,4]
// Images as structs with their pixels' address, width and height, passed by value. The guard keeps
// each thread in its own row, so that rows of any width stay apart.

struct Image {
    float *pixels;
    int width;
    int height;

    __host__ __device__ float &at(int x, int y) const
    {
        return pixels[y * width + x];
    }
};

__global__ void flip(Image in, Image out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < out.width && y < out.height) {
        out.at(x, y) = in.at(out.width - 1 - x, y);
    }
}

int main()
{
    const int width = 50, height = 60;
    Image in = {nullptr, width, height};
    Image out = {nullptr, width, height};
    cudaMallocManaged(&in.pixels, width * height * sizeof(float));
    cudaMallocManaged(&out.pixels, width * height * sizeof(float));
    for (int i = 0; i < width * height; i++) {
        in.pixels[i] = i;
    }
    flip<<<dim3(4, 4), dim3(16, 16)>>>(in, out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < width * height; i++) {
        right = right && out.at(i % width, i / width) == in.at(width - 1 - i % width, i / width);
    }
    cudaFree(in.pixels);
    cudaFree(out.pixels);
    return right ? 0 : 1;
}
