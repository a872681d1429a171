//xfail:NOT_ALL_VERIFIED
//
// A function makes a struct, which is passed twice.
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

Field field(int width)
{
    Field made;
    made.width = width;
    cudaMalloc(&made.cells, 4 * width);
    return made;
}

int main(int count, char **)
{
    Field f = field(1024);
    add<<<1, 64>>>(f, f);
    return 0;
}
