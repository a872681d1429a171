//pass
//
// The list of arguments has the addresses of two pointers that change places.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    for (int i = 0; i < count; i++) {
        void *arguments[] = {&p, &q};
        cudaLaunchKernel((void *)add, dim3(1), dim3(64), arguments, 0, 0);
        float *other = p;
        p = q;
        q = other;
    }
    return 0;
}
