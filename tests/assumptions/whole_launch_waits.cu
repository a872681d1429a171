//pass
//--block-dim=64 --grid-dim=4
// assumes: all groups run at once, as a barrier of the whole launch asks
// otherwise verified: --block-dim=64 --grid-dim=1 -D OTHERWISE
// In a launch that is not cooperative a group may begin when another one ends.
#include <cooperative_groups.h>

__global__ void whole_launch_waits(int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
#ifdef OTHERWISE
    __syncthreads();
#else
    cooperative_groups::this_grid().sync();
#endif
    unsigned sum = out[i ^ 1];
    __syncthreads();
    if (sum == 300) out[i] = sum;
}
