//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=4
// The lanes at the end of the first half read from those that are not there.
#include <hip/hip_runtime.h>

__global__ void shuffle_source(const int *in, int *out)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[id];
    if (threadIdx.x % 64 < 32) {
        value += __shfl_down(value, 4); //~ inactive-source
    }
    out[id] = value;
}
