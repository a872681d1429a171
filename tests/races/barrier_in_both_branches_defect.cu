// racy
// run: --block-dim 32 --grid-dim 1
// The upper lanes read before they come to the barrier.

__global__ void barrier_in_both_branches(int *out)
{
    __shared__ int cells[16];
    unsigned lane = threadIdx.x;
    if (lane < 16) {
        cells[lane] = lane; //~ race
        __syncwarp(0xffffffff);
    } else {
        out[lane] = cells[lane - 16]; //~ race
        __syncwarp(0xffffffff);
    }
}
