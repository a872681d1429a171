//pass
//--block-dim=256 --grid-dim=2
// How large temporary storage is a program only knows from `sizeof`, and from what its author has looked up.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockScan<int, 256, cub::BLOCK_SCAN_WARP_SCANS> Scan;
    __shared__ char bytes[64];
    int i = blockIdx.x * 256 + threadIdx.x;
    int sum;
    Scan(reinterpret_cast<Scan::TempStorage &>(bytes)).InclusiveSum(in[i], sum);
    out[i] = sum;
}
