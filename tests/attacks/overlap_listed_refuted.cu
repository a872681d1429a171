//xfail:NOT_ALL_VERIFIED
//
// Both entries of the list are the address of one pointer.
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
    void *list[] = {&p, &p};
    cudaLaunchKernel((const void *)add, dim3(1), dim3(64), list, 0, 0);
    return 0;
}
