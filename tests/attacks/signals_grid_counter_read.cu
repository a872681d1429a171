//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=8
// An ordinary load of the counter of a grid barrier, before the barrier: blocks that come early add
// beside it.

__global__ void grid_counter_read(unsigned *count, unsigned *out)
{
    unsigned seen = *count; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1); //~ race
        while (atomicAdd(count, 0) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = seen;
}
