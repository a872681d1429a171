//pass
//
// Two structs in memory, each with a buffer of its own.
#include <cuda_runtime.h>

struct Field {
    int width, height;
    float *cells;
    long unused;
};

__global__ void add(Field to, Field from)
{
    int i = threadIdx.x;
    to.cells[i] = from.cells[i + 1] + 1;
}

int main(int count, char **)
{
    Field f, g;
    cudaMalloc(&f.cells, 4096);
    cudaMalloc(&g.cells, 4096);
    add<<<1, 64>>>(f, g);
    return 0;
}
