//pass
//
// The kernel writes in front of its first pointer, and behind all that it reads.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i - 64] = from[i + 1] + 1;
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<1, 64>>>(p + 129, p);
    return 0;
}
