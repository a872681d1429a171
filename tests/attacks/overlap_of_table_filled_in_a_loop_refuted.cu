//xfail:NOT_ALL_VERIFIED
//
// A loop fills the table, and a branch makes its entries one.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main(int count, char **)
{
    float *table[2];
    for (int i = 0; i < 2; i++)
        cudaMalloc(&table[i], 4096);
    if (count > 1)
        table[1] = table[0];
    add<<<1, 64>>>(table[0], table[1]);
    return 0;
}
