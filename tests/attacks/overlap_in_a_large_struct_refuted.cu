//xfail:NOT_ALL_VERIFIED
//
// Two pointers of a struct that is passed in memory are one.
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
    arrays.to[i] = arrays.from[i + 1] + 1; //~ race
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    Arrays arrays = {p, 3, p, nullptr};
    add<<<1, 64>>>(arrays);
    return 0;
}
