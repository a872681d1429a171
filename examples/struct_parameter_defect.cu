//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As struct_parameter.cu, but the guard only looks whether the pixel is before the end of the image:
// threads beyond the end of a row write into the next one.

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
    if (y * out.width + x < out.width * out.height) {
        out.at(x, y) = in.at(out.width - 1 - x, y); //~ race
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
