//pass
//--local_size=64 --num_groups=16
// Half of each warp asks its right neighbours for their values, lane 15 asks lane 0. Every lane
// that is asked is named in the mask and comes to the shuffle.

__global__ void differences(const float *in, float *out)
{
    unsigned lane = threadIdx.x % 32;
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (lane < 16) {
        float own = in[gid];
        float next = __shfl_sync(0x0000ffff, own, (lane + 1) % 16);
        out[gid] = next - own;
    }
}
