//pass
//
// Each launch passes two pointers, or two to what is only read.

#include <cuda_runtime.h>

__global__ void add(float *to, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = a[i + 1] + b[i];
}

int main()
{
    float *x, *y;
    cudaMalloc(&x, 1024);
    cudaMalloc(&y, 1024);
    add<<<2, 64>>>(x, y, y);
    return 0;
}
