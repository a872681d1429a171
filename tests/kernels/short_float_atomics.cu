//pass
//--blockDim=64 --gridDim=16
// All threads add to the same two floats, each of which is added to atomically.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void short_float_atomics(__half2 *sums, __nv_bfloat162 *others, __half *sum, __half2 by, __nv_bfloat162 too, int *done)
{
    atomicAdd(sums, by);
    atomicAdd(others, too);
    atomicAdd(sum, by.x);
    done[blockIdx.x * 64 + threadIdx.x] = 1;
}
