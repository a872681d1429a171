//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=[*,4] --assume='width==gridDim.x*(blockDim.x-1)'
// Rows overlap.
__global__ void assume_cuda_sizes(int *out, int width)
{
    out[blockIdx.y * width + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.y; //~ race
}
