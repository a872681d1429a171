//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Half of the block does not come to the barrier that counts all of it.

__global__ void counted_barrier(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 0, 64;" ::: "memory"); //~ barrier-divergence
    }
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}
