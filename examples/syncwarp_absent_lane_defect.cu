//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As syncwarp_absent_lane.cu, but the mask names all lanes: those with data wait for those
// without, which wait for them at the next barrier.

__global__ void swap_neighbours(const int *in, int *out, int *blocks_done, int n)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + t;
    if (gid < n) {
        cells[t] = in[gid];
        __syncwarp(); //~ warp-divergence
        int from = (gid ^ 1) < n ? t ^ 1 : t;
        out[gid] = cells[from];
    }
    __syncthreads();
    if (t == 0) {
        blocks_done[blockIdx.x] = 1;
    }
}
