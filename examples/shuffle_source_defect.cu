//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As shuffle_source.cu, but lane 15 asks lane 16, which is not there: what it gets is undefined.

__global__ void differences(const float *in, float *out)
{
    unsigned lane = threadIdx.x % 32;
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (lane < 16) {
        float own = in[gid];
        float next = __shfl_sync(0x0000ffff, own, lane + 1); //~ inactive-source
        out[gid] = next - own;
    }
}
