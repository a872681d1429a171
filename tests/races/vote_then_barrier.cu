// race-free
// run: --block-dim 32 --grid-dim 1
// After the vote the barrier of the warp orders memory.

__global__ void vote_then_barrier(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x;
    cells[lane] = lane;
    int any = __any_sync(0xffffffff, lane == 3);
    __syncwarp();
    out[lane] = any ? cells[lane ^ 1] : 0;
}
