//xfail:NOT_ALL_VERIFIED
//
// Both pointers of the struct are one.
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
    Arrays arrays = {p, p};
    add<<<1, 64>>>(arrays);
    return 0;
}
