//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// A counter in constant memory.

__constant__ int counter;

__global__ void constant_counter(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = atomicAdd((int *)&counter, 1); //~ constant-write
}
