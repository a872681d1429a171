//pass
//--local_size=64 --num_groups=16
// A shuffle hands values over but orders no memory: besides it, a barrier of the warp stands
// between the write and the read of shared memory.

__global__ void neighbour_less_first(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    int own = in[gid];
    cells[t] = own;
    int first = __shfl_sync(0xffffffff, own, 0);
    __syncwarp();
    out[gid] = cells[t ^ 1] - first;
}
