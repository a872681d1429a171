//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The functions of a wavefront order no memory, with a mask or without.

#include <hip/hip_runtime.h>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race any
    sum += __any(value);
    sum += a[63 - t]; //~ race any
    b[t] = value; //~ race ballot
    sum += __ballot(value) != 0;
    sum += b[63 - t]; //~ race ballot
    c[t] = value; //~ race shuffle
    sum += __shfl(value, 3);
    sum += c[63 - t]; //~ race shuffle
    out[t] = sum;
}
