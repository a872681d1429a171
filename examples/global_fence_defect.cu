//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As global_fence.cu, but a barrier of the warp stands where one of the block is needed: the last
// thread of the first warp reads what the first of the second may not have written yet.

__global__ void rotate_in_block(const int *in, int *scratch, int *out)
{
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * blockDim.x;
    scratch[first + t] = 2 * in[first + t]; //~ race
    __syncwarp();
    out[first + t] = scratch[first + (t + 1) % blockDim.x]; //~ race
}
