//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As warp_synchronous_reduce.cu, in the way of old code: no barrier in a warp, and volatile
// instead. That keeps the compiler from caching, but it orders nothing between threads.

__global__ void sums_of_warps(const int *in, int *out)
{
    volatile __shared__ int cells[64];
    int t = threadIdx.x;
    int lane = t % warpSize;
    int gid = blockIdx.x * blockDim.x + t;
    cells[t] = in[gid]; //~ race load
    for (int s = 16; s > 0; s /= 2) {
        if (lane < s) {
            cells[t] = cells[t] + cells[t + s]; //~ race load step
        }
    }
    if (lane == 0) {
        out[gid / 32] = cells[t];
    }
}
