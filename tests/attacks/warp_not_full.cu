//xfail:NOT_ALL_VERIFIED
//--block-dim=48 --grid-dim=1
// The second warp has 16 lanes: lane 15 reads from one that does not exist.

__global__ void next(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    out[t] = __shfl_down_sync(0xffffffffu, in[t], 1); //~ inactive-source
}
