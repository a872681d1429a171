//pass
//--local_size=64 --num_groups=16
// A block exchanges elements through global memory: __syncthreads orders all memory among the
// threads of a block.

__global__ void rotate_in_block(const int *in, int *scratch, int *out)
{
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * blockDim.x;
    scratch[first + t] = 2 * in[first + t];
    __syncthreads();
    out[first + t] = scratch[first + (t + 1) % blockDim.x];
}
