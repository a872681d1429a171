//xfail:NOT_ALL_VERIFIED
//--blockDim=256 --gridDim=4096 --check=overflow
// A matrix of more than 2^31 elements has indices that no int holds.

__global__ void index_without_overflow(float *matrix, int width)
{
    const int row = blockIdx.x * 256 + threadIdx.x;
    if (width > 0) {
        matrix[row * width] = 1; //~ index-overflow
    }
}
