//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A clock orders nothing.

#include <hip/hip_runtime.h>

__global__ void times(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = in[t]; //~ race
    wall_clock64();
    out[t] = cells[63 - t]; //~ race
}
