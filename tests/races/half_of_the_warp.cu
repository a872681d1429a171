// race-free
// run: --block-dim 32 --grid-dim 1
// Each half of the warp has a barrier with a mask of its own, and exchanges among itself only.

__global__ void half_of_the_warp(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x;
    cells[lane] = lane;
    __syncwarp(lane < 16 ? 0x0000ffff : 0xffff0000);
    out[lane] = cells[lane ^ 15];
}
