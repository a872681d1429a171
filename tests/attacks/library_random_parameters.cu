//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Parameters of a generator are memory as any other: to copy them is no draw, for which the threads would wait.

#include <curand_kernel.h>

__global__ void copy(const mtgp32_kernel_params *in, mtgp32_kernel_params *out)
{
    out[threadIdx.x / 2] = in[threadIdx.x]; //~ race
}
