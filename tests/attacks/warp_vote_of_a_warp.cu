//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// A vote is one of the warp: the other warp of the block may not come.

__global__ void voted(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (__any_sync(0xffffffffu, in[i] > 0)) {
        cells[t] = in[i];
        __syncthreads(); //~? barrier-divergence
        out[i] = cells[t];
    }
}
