//xfail:NOT_ALL_VERIFIED
//
// The second pointer is the device's name for memory that the first one is, too.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main()
{
    float *p, *q;
    cudaHostAlloc(&p, 4096, 0);
    cudaHostGetDevicePointer(&q, p, 0);
    add<<<1, 64>>>(p, q);
    return 0;
}
