//xfail:NOT_ALL_VERIFIED
//
// A function that is not inlined returns one of its arguments.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

__attribute__((noinline)) static float *either(float *p, float *q, int count)
{
    return count > 1 ? p : q;
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    add<<<1, 64>>>(p, either(p, q, count));
    return 0;
}
