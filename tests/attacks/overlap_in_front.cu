//pass
//
// The second pointer ends before what is written: it begins 65 elements in front, and 65 are read.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<1, 64>>>(p + 65, p);
    return 0;
}
