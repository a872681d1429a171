// Dynamic shared memory that holds two arrays, the second behind the first.
// launch: --local_size=64
// defect: the second array begins one element too early.
// example: clang
#include "device.h"

extern "C" __global__ void dynamic_shared(const double *values, const int *keys, double *out)
{
    extern __shared__ double memory[];
    double *value = memory;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
#ifdef DEFECT
    int *key = (int *)(memory + blockDim.x - 1);
#else
    int *key = (int *)(memory + blockDim.x);
#endif
    value[t] = values[i];         //~ race shared
    key[t] = keys[i];             //~ race shared
    __syncthreads();
    out[i] = value[(unsigned)key[t] % blockDim.x];
}
