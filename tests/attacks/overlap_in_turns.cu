//pass
//
// Two pointers change places in each iteration.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main()
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    for (int i = 0; i < 8; i++) {
        add<<<1, 64>>>(p, q);
        float *other = p;
        p = q;
        q = other;
    }
    return 0;
}
