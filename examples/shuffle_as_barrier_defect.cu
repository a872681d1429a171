//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As shuffle_as_barrier.cu, but without the barrier: that the lanes meet at the shuffle does not
// make one lane's write visible to another.

__global__ void neighbour_less_first(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    int own = in[gid];
    cells[t] = own; //~ race
    int first = __shfl_sync(0xffffffff, own, 0);
    out[gid] = cells[t ^ 1] - first; //~ race
}
