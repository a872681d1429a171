//pass
//
// One condition chooses both pointers, and never the same one.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    add<<<1, 64>>>(count > 1 ? p : q, count > 1 ? q : p);
    return 0;
}
