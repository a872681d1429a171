//pass
//--blockDim=256 --gridDim=4096 --check=overflow
// The index is computed with as many bits as an address.

__global__ void index_without_overflow(float *matrix, int width)
{
    const size_t row = blockIdx.x * 256 + threadIdx.x;
    if (width > 0) {
        matrix[row * width] = 1;
    }
}
