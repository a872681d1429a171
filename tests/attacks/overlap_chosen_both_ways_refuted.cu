//xfail:NOT_ALL_VERIFIED
//
// Two conditions choose the pointers, perhaps the same one.
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
    add<<<1, 64>>>(count > 1 ? p : q, count > 2 ? q : p);
    return 0;
}
