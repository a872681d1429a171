//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As barrier_in_branch.cu, but each branch has its own barrier: threads of a block must meet at the
// same one.

__global__ void hand_over(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + t;
    cells[t] = in[gid];
    if (t % 2 == 0) {
        cells[t] += in[gid + 1];
        __syncthreads(); //~ barrier-divergence even
    } else {
        __syncthreads(); //~ barrier-divergence odd
        out[gid] = cells[t - 1];
    }
}
