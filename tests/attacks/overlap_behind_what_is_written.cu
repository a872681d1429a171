//pass
//
// The second pointer begins 64 elements in front of the first, and each thread reads its own element.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x + 64 * blockIdx.x;
    to[i] = from[i + 64] + 1;
}

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 4096);
    add<<<2, 64>>>(p + 64, p);
    return 0;
}
