//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// One thread of each block reads what the others add to, which is the second of two floats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void short_float_atomics(__half2 *sums, __half *out, __half2 by)
{
    atomicAdd(sums, by); //~? race
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sums->y; //~? race
    }
}
