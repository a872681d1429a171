//xfail:NOT_ALL_VERIFIED
//
// The launch stands in a function that is called with one pointer twice.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

static void start(float *a, float *b)
{
    add<<<1, 64>>>(a, b + 3);
}

int main()
{
    float *p;
    cudaMalloc(&p, 4096);
    start(p, p);
    return 0;
}
