//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// There is no lane 12 in a logical warp of eight: what a broadcast of it gives is not documented.

#include <cub/cub.cuh>

__global__ void beyond(int *out)
{
    typedef cub::WarpScan<int, 8> Collective;
    __shared__ Collective::TempStorage storage[8];
    int t = threadIdx.x;
    int result = Collective(storage[t / 8]).Broadcast(t, 12);
    if (result != t) out[0] = t; //~ race
}
