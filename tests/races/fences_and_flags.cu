// race-free
// run: --block-dim 4 --grid-dim 2
// As a grid barrier of warps: the barrier of the warp stands between the fences and the flag, and a volatile flag for each block is written
// and read instead of a count.

__global__ void fences_and_flags(int *cells, volatile int *flags, int *out)
{
    unsigned t = threadIdx.x, b = blockIdx.x;
    unsigned i = b * 4 + t;
    cells[i] = i;
    __threadfence();
    __syncwarp(0xf);
    if (t == 1) {
        flags[b] = 1;
        while (flags[1 - b] == 0) {
        }
        __threadfence();
    }
    __syncwarp(0xf);
    out[i] = cells[7 - i];
}
