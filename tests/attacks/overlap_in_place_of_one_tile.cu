//pass
//
// One block transposes its tile in place.
#include <cuda_runtime.h>

__global__ void transpose(float *to, const float *from)
{
    __shared__ float tile[16][17];
    int x = 16 * blockIdx.x + threadIdx.x, y = 16 * blockIdx.y + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = from[64 * y + x];
    __syncthreads();
    int column = 16 * blockIdx.y + threadIdx.x, row = 16 * blockIdx.x + threadIdx.y;
    to[64 * row + column] = tile[threadIdx.x][threadIdx.y];
}

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 16384);
    transpose<<<dim3(1, 1), dim3(16, 16)>>>(p, p);
    return 0;
}
