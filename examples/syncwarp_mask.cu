//pass
//--local_size=64 --num_groups=16
// Only the lower half of each warp exchanges elements. The mask of __syncwarp names the lanes that
// come to it, all of them and no others.

__global__ void reverse_lower_halves(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    if (t % 32 < 16) {
        cells[t] = in[gid];
        __syncwarp(0x0000ffff);
        out[gid] = cells[t ^ 15];
    }
}
