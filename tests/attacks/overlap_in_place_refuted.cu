//xfail:NOT_ALL_VERIFIED
//
// Both pointers are one, and each thread reads the element of another.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[63 - i] + 1; //~ race
}

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<1, 64>>>(p, p);
    return 0;
}
