//xfail:NOT_ALL_VERIFIED
//
// The threads read one element further than in the twin.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x + 64 * blockIdx.x;
    to[i] = from[i + 65] + 1; //~ race
}

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<2, 64>>>(p + 64, p);
    return 0;
}
