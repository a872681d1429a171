//pass
//
// The inner structs have a buffer each.
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
    fields.to.cells[i] = fields.from.cells[i + 1] + 1;
}

int main(int count, char **)
{
    Fields fields = {};
    cudaMalloc(&fields.to.cells, 4096);
    fields.from = fields.to;
    cudaMalloc(&fields.from.cells, 4096);
    add<<<1, 64>>>(fields);
    return 0;
}
