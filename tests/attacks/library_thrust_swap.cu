//pass
//--block-dim=64 --grid-dim=1
// Each thread swaps two cells of its own.

#include <thrust/swap.h>

__global__ void swaps(int *cells)
{
    int t = threadIdx.x;
    thrust::swap(cells[t], cells[127 - t]);
}
