//pass
//--local_size=64 --num_groups=16
// open sizes too
// An operation chosen at run time from a constant table of device functions: all that may be called
// are known, and each writes the element of its own thread only.

using Operation = void (*)(float *, int);

__device__ void negate(float *cells, int i)
{
    cells[i] = -cells[i];
}

__device__ void halve(float *cells, int i)
{
    cells[i] = 0.5f * cells[i];
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
