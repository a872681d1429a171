//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As function_table.cu, but one of the operations looks at the neighbour's element.

using Operation = void (*)(float *, int);

__device__ void negate(float *cells, int i)
{
    cells[i] = -cells[i];
}

__device__ void halve(float *cells, int i)
{
    cells[i] = 0.5f * (cells[i] + cells[i + 1]); //~ race
}

__device__ void clear(float *cells, int i)
{
    cells[i] = 0.0f;
}

__device__ const Operation operations[] = {negate, halve, clear};

__global__ void apply(float *data, unsigned operation)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    operations[operation % 3](data, gid);
}
