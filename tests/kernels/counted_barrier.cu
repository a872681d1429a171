//pass
//--blockDim=64 --gridDim=16
// Barrier 0 for as many threads as a block has is that of the block.

__global__ void counted_barrier(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync 0, 64;" ::: "memory");
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}
