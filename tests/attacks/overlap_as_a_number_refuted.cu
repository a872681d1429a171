//xfail:NOT_ALL_VERIFIED
//
// The first pointer is passed as a number.
#include <cuda_runtime.h>

__global__ void add(unsigned long long to, const float *from)
{
    int i = threadIdx.x;
    ((float *)to)[i] = from[i + 1] + 1; //~ race
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<1, 64>>>((unsigned long long)p, p);
    return 0;
}
