//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A load that names a cache orders nothing, one past all caches neither.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race all
    b[t] = value; //~ race global
    c[t] = value; //~ race streaming
    d[t] = value; //~ race anew
    sum += cub::ThreadLoad<cub::LOAD_CA>(a + 63 - t); //~ race all
    sum += cub::ThreadLoad<cub::LOAD_CG>(b + 63 - t); //~ race global
    sum += cub::ThreadLoad<cub::LOAD_CS>(c + 63 - t); //~ race streaming
    sum += cub::ThreadLoad<cub::LOAD_CV>(d + 63 - t); //~ race anew
    out[t] = sum;
}
