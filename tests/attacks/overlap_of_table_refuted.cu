//xfail:NOT_ALL_VERIFIED
//
// The pointers come from one entry of a table.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main()
{
    float *p[2];
    cudaMalloc(&p[0], 4096);
    cudaMalloc(&p[1], 4096);
    add<<<1, 64>>>(p[1], p[1] + 2);
    return 0;
}
