//pass
//
// A function that takes references and pointers lets the pointers change places.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

static void flip(float *&first, float **second)
{
    float *other = first;
    first = *second;
    *second = other;
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    for (int i = 0; i < count; i++) {
        add<<<1, 64>>>(p, q);
        flip(p, &q);
    }
    return 0;
}
