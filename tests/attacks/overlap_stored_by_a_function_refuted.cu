//xfail:NOT_ALL_VERIFIED
//
// A function that is not inlined stores the first pointer in the second.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

__attribute__((noinline)) static void set(float **to, float *value)
{
    *to = value;
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    set(&q, p);
    add<<<1, 64>>>(p, q);
    return 0;
}
