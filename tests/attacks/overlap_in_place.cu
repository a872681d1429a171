//pass
//
// Both pointers are one, and each thread keeps to its element.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i] + 1;
}

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<1, 64>>>(p, p);
    return 0;
}
