//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=*
// A mask of half a warp says nothing about the size of a block: its last threads may be fewer.

__global__ void sums(const int *in, int *out)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[gid];
    if (threadIdx.x % 32 < 16)
        sum += __shfl_xor_sync(0xffff, sum, 8); //~ inactive-source
    out[gid] = sum;
}
