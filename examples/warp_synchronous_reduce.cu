//pass
//--local_size=64 --num_groups=16
// The last steps of a tree reduction, within a warp: a barrier of the warp between one step's
// writes and the next one's reads.

__global__ void sums_of_warps(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    int lane = t % warpSize;
    int gid = blockIdx.x * blockDim.x + t;
    cells[t] = in[gid];
    __syncwarp();
    for (int s = 16; s > 0; s /= 2) {
        if (lane < s) {
            cells[t] = cells[t] + cells[t + s];
        }
        __syncwarp();
    }
    if (lane == 0) {
        out[gid / 32] = cells[t];
    }
}
