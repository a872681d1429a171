//xfail:NOT_ALL_VERIFIED
//
// A function returns two pointers in registers, which may be one.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

struct Two {
    float *to, *from;
};

__attribute__((noinline)) static Two both(float *p, float *q, int count)
{
    if (count > 1)
        q = p;
    return {p, q};
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    Two two = both(p, q, count);
    add<<<1, 64>>>(two.to, two.from);
    return 0;
}
