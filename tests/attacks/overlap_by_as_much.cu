//pass
//
// The second pointer begins behind all that is written.
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
    add<<<1, 64>>>(p, p + 64);
    return 0;
}
