//xfail:NOT_ALL_VERIFIED
//
// The second pointer begins in the middle of what is written.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<1, 64>>>(p, p + 32);
    return 0;
}
