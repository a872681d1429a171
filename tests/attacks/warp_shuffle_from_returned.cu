//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// A lane that has returned has no value to give.

__global__ void next(const int *in, int *out, int n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = __shfl_down_sync(0xffffffffu, in[i], 1); //~ inactive-source
}
