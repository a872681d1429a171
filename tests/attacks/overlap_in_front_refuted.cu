//xfail:NOT_ALL_VERIFIED
//
// The last element that is read is the first that is written.
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
    add<<<1, 64>>>(p + 64, p);
    return 0;
}
