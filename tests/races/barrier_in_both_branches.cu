// race-free
// run: --block-dim 32 --grid-dim 1
// The lanes of both branches come to a barrier with the same mask, one before it reads, the other after it has written.

__global__ void barrier_in_both_branches(int *out)
{
    __shared__ int cells[16];
    unsigned lane = threadIdx.x;
    if (lane < 16) {
        cells[lane] = lane;
        __syncwarp(0xffffffff);
    } else {
        __syncwarp(0xffffffff);
        out[lane] = cells[lane - 16];
    }
}
