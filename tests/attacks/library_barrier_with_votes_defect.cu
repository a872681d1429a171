//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A barrier that says what all threads say orders no memory of those that write behind it.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (__syncthreads_and(in[t]) && !__syncthreads_or(in[t])) return;
    cells[t] = in[t]; //~ race
    out[t] = cells[63 - t]; //~ race
}
