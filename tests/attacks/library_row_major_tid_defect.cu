//xfail:NOT_ALL_VERIFIED
//--block-dim=[8,4,2] --grid-dim=1
// Threads of a block of another shape than is said have one number.

#include <cub/cub.cuh>

__global__ void numbers(const int *in, int *out)
{
    int t = cub::RowMajorTid(4, 8, 2);
    out[t] = in[threadIdx.x]; //~ race
}
