//pass
//--local_size=64 --num_groups=16
// The lanes beyond the end of the data do not come to the barrier of their warp, so the mask must
// not name them: it is a ballot that all lanes took part in before.

__global__ void swap_neighbours(const int *in, int *out, int *blocks_done, int n)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + t;
    unsigned present = __ballot_sync(0xffffffff, gid < n);
    if (gid < n) {
        cells[t] = in[gid];
        __syncwarp(present);
        int from = (gid ^ 1) < n ? t ^ 1 : t;
        out[gid] = cells[from];
    }
    __syncthreads();
    if (t == 0) {
        blocks_done[blockIdx.x] = 1;
    }
}
