//xfail:NOT_ALL_VERIFIED
//
// The second pointer is one of two, of which one is the first.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    add<<<1, 64>>>(p, count > 1 ? p + 1 : q);
    return 0;
}
