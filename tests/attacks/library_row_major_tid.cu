//pass
//--block-dim=[8,4,2] --grid-dim=1
// The number of a thread in its block is its own.

#include <cub/cub.cuh>

__global__ void numbers(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = cub::RowMajorTid(8, 4, 2);
    cells[t] = in[t];
    __syncthreads();
    out[t] = cells[63 - t];
}
