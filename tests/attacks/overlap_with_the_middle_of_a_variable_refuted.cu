//xfail:NOT_ALL_VERIFIED
//
// The pointer begins in the middle of what is read, as a run of the program shows.
#include <cuda_runtime.h>

__device__ float cells[128];

__global__ void add(float *to)
{
    int i = threadIdx.x;
    to[i] = cells[i + 1] + 1; //~ race
}

int main()
{
    float *p;
    cudaGetSymbolAddress((void **)&p, cells);
    add<<<1, 64>>>(p + 64);
    return 0;
}
