// Two pairs of warps that each have a named barrier of their own, whose number is the pair's.
// launch: --local_size=128
// defect: one of the two pairs' warps names the count of all four warps.
// example: nvcc
#include "instructions.h"

extern "C" __global__ void __launch_bounds__(128) barrier_counts(const int *in, int *out)
{
    __shared__ int cells[128];
    unsigned t = threadIdx.x, pair = t / 64;
    cells[t] = in[blockIdx.x * 128 + t];
#ifdef DEFECT
    barrier_sync(1 + pair, t / 32 == 3 ? 128 : 64); //~ protocol
#else
    barrier_sync(1 + pair, 64);
#endif
    out[blockIdx.x * 128 + t] = cells[t ^ 33];
}
