// Calls of functions that are not inlined: pointers as arguments and results, structs by value.
// launch: --local_size=64
// defect: two neighbours have the same cell.
// example: nvcc
// arch: 80 100
#include "device.h"

struct Pair {
    float first, second;
};

__device__ __noinline__ float *cell(float *out, int i)
{
#ifdef DEFECT
    return out + i / 2;
#else
    return out + i;
#endif
}

__device__ __noinline__ Pair scale(Pair pair, float by)
{
    return Pair{pair.first * by, pair.second + by};
}

__device__ __noinline__ void store(float *to, Pair pair)
{
    *to = pair.first + pair.second; //~ race global
}

extern "C" __global__ void function_call(const Pair *in, float *out, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        store(cell(out, i), scale(in[i], by));
    }
}
