// racy
// run: --block-dim 64 --grid-dim 2
// The barrier of the warp does not order the two warps of the block: lane 31 reads what lane 0 of the other one writes.

__global__ void shared_rotation(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t; //~ race
    __syncwarp();
    out[blockIdx.x * 64 + t] = cells[(t + 1) % 64]; //~ race
}
