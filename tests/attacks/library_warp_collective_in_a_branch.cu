//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// So do all lanes of the part of the warp.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::WarpScan<int, 8> Scan;
    __shared__ Scan::TempStorage storage[4];
    int t = threadIdx.x, sum = 0;
    if (t < 12) Scan(storage[t / 8]).InclusiveSum(in[t], sum); //~ warp-divergence
    __syncthreads();
    out[t] = sum;
}
