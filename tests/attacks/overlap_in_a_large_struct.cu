//pass
//
// Two pointers of the struct are one, and one of these is not used.
#include <cuda_runtime.h>

struct Arrays {
    float *to;
    int count;
    const float *from;
    const float *other;
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
    Arrays arrays = {p, 3, q, p};
    add<<<1, 64>>>(arrays);
    return 0;
}
