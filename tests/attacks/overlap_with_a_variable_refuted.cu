//unknown
//
// The pointer is the address of the variable.
#include <cuda_runtime.h>

__device__ float cells[128];

__global__ void add(float *to)
{
    int i = threadIdx.x;
    to[i] = cells[i + 1] + 1;
}

int main()
{
    float *p;
    cudaGetSymbolAddress((void **)&p, cells);
    add<<<1, 64>>>(p);
    return 0;
}
