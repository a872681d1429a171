// racy
// run: --block-dim 32 --grid-dim 1
// What is read is the other half's, which none of the two barriers orders.

__global__ void half_of_the_warp(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x;
    cells[lane] = lane; //~ race
    __syncwarp(lane < 16 ? 0x0000ffff : 0xffff0000);
    out[lane] = cells[lane ^ 16]; //~ race
}
