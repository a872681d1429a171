//pass
//
// The pointer of the struct is another one.
#include <cuda_runtime.h>

struct Arrays {
    const float *from;
    int count;
};

__global__ void add(Arrays arrays, float *to)
{
    int i = threadIdx.x;
    to[i] = arrays.from[i + 1] + arrays.count;
}

int main()
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    Arrays arrays = {q, 3};
    add<<<1, 64>>>(arrays, p);
    return 0;
}
