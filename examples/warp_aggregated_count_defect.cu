//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As warp_aggregated_count.cu, but the first lane adds without an atomic: it is alone in its warp,
// but there are other warps.

__global__ void count_large(const int *in, unsigned *of_warps, unsigned *total, int threshold, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned large = __ballot_sync(0xffffffff, gid < n && in[gid] > threshold);
    if (threadIdx.x % 32 == 0) {
        of_warps[gid / 32] = __popc(large);
        *total += __popc(large); //~ race
    }
}
