//xfail:NOT_ALL_VERIFIED
//
// The second pointer begins one element behind the first: what one thread writes another one reads.
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
    add<<<1, 64>>>(p, p + 1);
    return 0;
}
