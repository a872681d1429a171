//xfail:NOT_ALL_VERIFIED
//
// Three pointers are one, and two of them suffice for a race.
#include <cuda_runtime.h>

__global__ void sum(float *to, const float *from, const float *other)
{
    int i = threadIdx.x;
    to[i] = from[i] + other[i + 1]; //~ race
}

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 4096);
    sum<<<1, 64>>>(p, p, p);
    return 0;
}
