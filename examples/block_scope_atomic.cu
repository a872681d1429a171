//pass
//--local_size=64 --num_groups=16
// open sizes too
// Each block counts in a cell of global memory that no other block touches: atomics in the scope of
// the block suffice.

__global__ void count_positive(const int *in, int *counts)
{
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0) {
        atomicAdd_block(&counts[blockIdx.x], 1);
    }
}
