//pass
//--blockDim=64 --gridDim=16
// A counter in global memory; the limit in constant memory is only read.

__device__ int counter;
__constant__ int limit;

__global__ void constant_counter(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = atomicAdd(&counter, 1) < limit;
}
