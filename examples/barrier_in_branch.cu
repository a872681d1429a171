//pass
//--local_size=64 --num_groups=16
// The even threads prepare something for the odd ones. The barrier stands between the two branches,
// where all threads of the block come by.

__global__ void hand_over(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + t;
    cells[t] = in[gid];
    if (t % 2 == 0) {
        cells[t] += in[gid + 1];
    }
    __syncthreads();
    if (t % 2 != 0) {
        out[gid] = cells[t - 1];
    }
}
