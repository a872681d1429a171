//xfail:NOT_ALL_VERIFIED
//
// One of the inner structs is a copy of the other, unless it gets its own buffer.
#include <cuda_runtime.h>

struct Field {
    int width;
    float *cells;
};

struct Fields {
    Field to, from;
    int count;
};

__global__ void add(Fields fields)
{
    int i = threadIdx.x;
    fields.to.cells[i] = fields.from.cells[i + 1] + 1; //~ race
}

int main(int count, char **)
{
    Fields fields = {};
    cudaMalloc(&fields.to.cells, 4096);
    fields.from = fields.to;
    if (count > 1)
        cudaMalloc(&fields.from.cells, 4096);
    add<<<1, 64>>>(fields);
    return 0;
}
