//pass
//
// One variable holds two pointers, one after the other.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main()
{
    float *p, *a, *b;
    cudaMalloc(&p, 4096);
    a = p;
    cudaMalloc(&p, 4096);
    b = p;
    add<<<1, 64>>>(a, b);
    return 0;
}
