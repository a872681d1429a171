//xfail:NOT_ALL_VERIFIED
//
// Structs change places, except in one iteration.
#include <cuda_runtime.h>

struct Field {
    int width, height;
    float *cells;
    long unused;
};

__global__ void add(Field to, Field from)
{
    int i = threadIdx.x;
    to.cells[i] = from.cells[i + 1] + 1; //~ race
}

int main(int count, char **)
{
    Field f, g;
    cudaMalloc(&f.cells, 4096);
    cudaMalloc(&g.cells, 4096);
    for (int i = 0; i < count; i++) {
        add<<<1, 64>>>(f, g);
        Field other = f;
        f = g;
        if (i != 3)
            g = other;
    }
    return 0;
}
