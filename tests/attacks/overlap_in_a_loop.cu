//pass
//
// In each iteration the second begins behind what is written.
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
    for (int i = 4; i < 8; i++) {
        add<<<1, 64>>>(p, p + i * 32);
    }
    return 0;
}
