//pass
//
// The struct has two pointers.
#include <cuda_runtime.h>

struct Arrays {
    float *to;
    const float *from;
};

__global__ void add(Arrays arrays)
{
    int i = threadIdx.x;
    arrays.to[i] = arrays.from[i + 1] + 1;
}

int main()
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    Arrays arrays = {p, q};
    add<<<1, 64>>>(arrays);
    return 0;
}
