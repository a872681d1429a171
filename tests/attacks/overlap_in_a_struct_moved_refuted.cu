//xfail:NOT_ALL_VERIFIED
//
// The second pointer of the struct begins one element behind the first.
#include <cuda_runtime.h>

struct Arrays {
    float *to;
    const float *from;
};

__global__ void add(Arrays arrays)
{
    int i = threadIdx.x;
    arrays.to[i] = arrays.from[i + 1] + 1; //~ race
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    Arrays arrays;
    arrays.from = p + 1;
    arrays.to = p;
    add<<<1, 64>>>(arrays);
    return 0;
}
