//pass
//
// The host has put another pointer into the variable.
#include <cuda_runtime.h>

__constant__ const float *input;

__global__ void add(float *to)
{
    int i = threadIdx.x;
    to[i] = input[i + 1] + 1;
}

int main()
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    cudaMemcpyToSymbol(input, &q, sizeof q);
    add<<<1, 64>>>(p);
    return 0;
}
