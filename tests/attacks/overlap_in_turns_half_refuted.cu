//xfail:NOT_ALL_VERIFIED
//
// The pointers change places, except in one iteration.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    for (int i = 0; i < count; i++) {
        add<<<1, 64>>>(p, q);
        float *other = p;
        p = q;
        if (i != 3)
            q = other;
    }
    return 0;
}
