//pass
//--blockDim=64 --gridDim=[*,4] --assume='width==gridDim.x*blockDim.x'
// Rows as wide as the launch, in CUDA's words.
__global__ void assume_cuda_sizes(int *out, int width)
{
    out[blockIdx.y * width + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.y;
}
