//xfail:NOT_ALL_VERIFIED
//
// In the first iteration the two are one pointer.
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
    for (int i = 0; i < 4; i++) {
        add<<<1, 64>>>(p, p + i * 32);
    }
    return 0;
}
