//xfail:NOT_ALL_VERIFIED
//
// The second entry of the list is the address of a pointer one element behind.
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
    float *q = p + 1;
    void *list[] = {&p, &q};
    cudaLaunchKernel((const void *)add, dim3(1), dim3(64), list, 0, 0);
    return 0;
}
