//xfail:NOT_ALL_VERIFIED
//
// One of the calls passes one pointer twice.
#include <cuda_runtime.h>
#include <utility>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

__attribute__((noinline)) static void steps(float *p, float *q, int count)
{
    for (int i = 0; i < count; i++) {
        add<<<1, 64>>>(p, q);
        std::swap(p, q);
    }
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    steps(p, q, count);
    steps(q, q, 1);
    return 0;
}
