//pass
//--block-dim=32 --grid-dim=1
// A part of a warp may come alone.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::WarpScan<int, 8> Scan;
    __shared__ Scan::TempStorage storage[4];
    int t = threadIdx.x, sum = 0;
    if (t < 16) Scan(storage[t / 8]).InclusiveSum(in[t], sum);
    out[t] = sum;
}
