// racy
// run: --block-dim 32 --grid-dim 1
// A shuffle brings the lanes together, but it orders no memory.

__global__ void shuffled_values(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x;
    cells[lane] = lane; //~ race
    unsigned next = __shfl_sync(0xffffffff, lane, (lane + 1) % 32);
    out[lane] = cells[next]; //~ race
}
