//xfail:NOT_ALL_VERIFIED
//
// The second pointer is any entry of the table, perhaps the first.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    float *table[2] = {p, q};
    add<<<1, 64>>>(table[0], table[count & 1]);
    return 0;
}
