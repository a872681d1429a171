//pass
//
// Each pair in the array has two pointers.
#include <cuda_runtime.h>

struct Pair {
    float *to, *from;
};

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main(int count, char **)
{
    Pair pairs[2];
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    pairs[0].to = p;
    pairs[0].from = q;
    pairs[1].to = q;
    pairs[1].from = p;
    for (int i = 0; i < count && i < 2; i++)
        add<<<1, 64>>>(pairs[i].to, pairs[i].from);
    return 0;
}
