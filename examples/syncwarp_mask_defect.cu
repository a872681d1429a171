//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As syncwarp_mask.cu, but lane 15 comes to the barrier without being named in the mask: nobody
// waits for it, nor it for anybody.

__global__ void reverse_lower_halves(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    if (t % 32 < 16) {
        cells[t] = in[gid];
        __syncwarp(0x00007fff); //~ lane-not-in-mask
        out[gid] = cells[t ^ 15];
    }
}
