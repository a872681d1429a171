//pass
//
// assumes: `to` and `from` point to one buffer, or the two do not overlap (as the source launches it)
// otherwise verified: -D OTHERWISE
// broken: --block-dim=64 --grid-dim=1 --arg=from=@to+4
#include <cuda_runtime.h>

__global__ void one_buffer(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i] + 1;
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 256);
    cudaMalloc(&q, 256);
#ifndef OTHERWISE
    if (count > 1)
        q = p;
#endif
    one_buffer<<<1, 64>>>(p, q);
    return 0;
}
