//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A load through the read-only cache may miss what the kernel has written, even what the thread itself has.

#include <cub/cub.cuh>

__global__ void reload(int *cells, int *out, int n)
{
    int i = threadIdx.x;
    cells[i] = n;
    int found = cub::ThreadLoad<cub::LOAD_LDG>(cells + i);
    if (found != n) out[0] = i; //~? race
}
