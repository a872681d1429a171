//xfail:NOT_ALL_VERIFIED
//
// A function sets both variables, perhaps to one pointer.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

static float *first, *second;

__attribute__((noinline)) static void set_up(int count)
{
    cudaMalloc(&first, 4096);
    cudaMalloc(&second, 4096);
    if (count > 1)
        second = first;
}

int main(int count, char **)
{
    set_up(count);
    add<<<1, 64>>>(first, second);
    return 0;
}
