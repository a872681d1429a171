//pass
//--blockDim=128 --gridDim=4
// The first half of each warp reads from itself, and so does who reads behind the end of its segment.
#include <hip/hip_runtime.h>

__global__ void shuffle_source(const int *in, int *out)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[id];
    if (threadIdx.x % 64 < 32) {
        value += __shfl_down(value, 4, 32);
    }
    out[id] = value;
}
