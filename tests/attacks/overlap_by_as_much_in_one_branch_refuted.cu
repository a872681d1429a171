//xfail:NOT_ALL_VERIFIED
//
// Both pointers are moved by one unknown number, in one branch from one beginning.
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
    if (count > 1)
        q = p;
    add<<<1, 64>>>(p + count, q + count);
    return 0;
}
