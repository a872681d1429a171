//xfail:NOT_ALL_VERIFIED
//
// Both addresses are constants, one element apart.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main()
{
    add<<<1, 64>>>((float *)0x10000, (const float *)0x10004);
    return 0;
}
