//xfail:NOT_ALL_VERIFIED
//
// One of the cases makes the two pointers one.
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
    switch (count) {
    case 1: q = p; break;
    case 2: p = q; break;
    default: break;
    }
    add<<<1, 64>>>(p, q);
    return 0;
}
