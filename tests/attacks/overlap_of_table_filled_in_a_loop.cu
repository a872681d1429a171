//pass
//
// A loop fills the table.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

int main(int count, char **)
{
    float *table[2];
    for (int i = 0; i < 2; i++)
        cudaMalloc(&table[i], 4096);
    add<<<1, 64>>>(table[0], table[1]);
    return 0;
}
