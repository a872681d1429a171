//pass
//
// The pointer begins behind all that is read.
#include <cuda_runtime.h>

__device__ float cells[129];

__global__ void add(float *to)
{
    int i = threadIdx.x;
    to[i] = cells[i + 1] + 1;
}

int main()
{
    float *p;
    cudaGetSymbolAddress((void **)&p, cells);
    add<<<1, 64>>>(p + 65);
    return 0;
}
