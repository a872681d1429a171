//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The shuffles of a wavefront order no memory.

#include <hip/hip_runtime.h>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race up
    sum += __shfl_up(value, 1);
    sum += a[63 - t]; //~ race up
    b[t] = value; //~ race down
    sum += __shfl_down(value, 1);
    sum += b[63 - t]; //~ race down
    c[t] = value; //~ race xor
    sum += __shfl_xor(value, 1);
    sum += c[63 - t]; //~ race xor
    out[t] = sum;
}
