//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The lanes of two warps have the same numbers.

#include <cub/cub.cuh>

__global__ void lanes(const int *in, int *out)
{
    __shared__ int cells[32];
    cells[cub::LaneId()] = in[threadIdx.x]; //~ race
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x % 32];
}
