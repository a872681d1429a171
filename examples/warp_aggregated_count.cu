//pass
//--local_size=64 --num_groups=16
// One atomic operation per warp instead of one per thread: the first lane adds what a ballot has
// counted for all.

__global__ void count_large(const int *in, unsigned *of_warps, unsigned *total, int threshold, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned large = __ballot_sync(0xffffffff, gid < n && in[gid] > threshold);
    if (threadIdx.x % 32 == 0) {
        of_warps[gid / 32] = __popc(large);
        atomicAdd(total, __popc(large));
    }
}
