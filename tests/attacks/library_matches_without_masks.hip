//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The matches of a wavefront order no memory.

#include <hip/hip_runtime.h>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race any
    sum += __match_any(value) != 0;
    sum += a[63 - t]; //~ race any
    b[t] = value; //~ race all
    int all;
    sum += __match_all(value, &all) != 0;
    sum += b[63 - t]; //~ race all
    out[t] = sum;
}
