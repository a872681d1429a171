//xfail:NOT_ALL_VERIFIED
//
// The launch passes the same pointer twice: what one thread writes another one reads.

#include <cuda_runtime.h>

__global__ void add(float *to, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = a[i + 1] + b[i]; //~ race
}

int main()
{
    float *x, *y;
    cudaMalloc(&x, 1024);
    cudaMalloc(&y, 1024);
    add<<<2, 64>>>(x, x, y);
    return 0;
}
