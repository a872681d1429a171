//xfail:NOT_ALL_VERIFIED
//
// The host has put the pointer into a variable, too.
#include <cuda_runtime.h>

__constant__ const float *input;

__global__ void add(float *to)
{
    int i = threadIdx.x;
    to[i] = input[i + 1] + 1; //~ race
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    cudaMemcpyToSymbol(input, &p, sizeof p);
    add<<<1, 64>>>(p);
    return 0;
}
