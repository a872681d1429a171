//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A swap reads and writes both of its cells, as any access does.

#include <thrust/swap.h>

__global__ void swaps(int *cells)
{
    int t = threadIdx.x;
    thrust::swap(cells[t], cells[63 - t]); //~ race
}
