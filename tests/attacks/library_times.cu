//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Clocks order nothing, and their times are any.

__global__ void times(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = in[t]; //~ race
    clock();
    clock64();
    __globaltimer();
    out[t] = cells[63 - t]; //~ race
}
