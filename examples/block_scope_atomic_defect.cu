//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As block_scope_atomic.cu, but two blocks share a cell: atomics in the scope of the block are not
// atomic for them.

__global__ void count_positive(const int *in, int *counts)
{
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0) {
        atomicAdd_block(&counts[blockIdx.x / 2], 1); //~ race
    }
}
