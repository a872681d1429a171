//xfail:NOT_ALL_VERIFIED
//
// The same, where two threads write to one place.
#include <cuda_runtime.h>

__constant__ int table[19];

__global__ void look_up(int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i / 2] = table[i % 19] + i; //~ race
}

int main()
{
    int numbers[19], count = 0;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            if (z * z + y * y != 2)
                numbers[count++] = y;
    cudaMemcpyToSymbol(table, numbers, sizeof(numbers));
    int *to;
    cudaMalloc(&to, 1024);
    look_up<<<4, 64>>>(to);
    return 0;
}
