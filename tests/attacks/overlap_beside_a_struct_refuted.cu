//xfail:NOT_ALL_VERIFIED
//
// The pointer of the struct and the one beside it are one.
#include <cuda_runtime.h>

struct Arrays {
    const float *from;
    int count;
};

__global__ void add(Arrays arrays, float *to)
{
    int i = threadIdx.x;
    to[i] = arrays.from[i + 1] + arrays.count; //~ race
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    Arrays arrays = {p, 3};
    add<<<1, 64>>>(arrays, p);
    return 0;
}
