// racy
// run: --block-dim 4 --grid-dim 2
// The barrier of the warp comes before the fence.

__global__ void fences_and_flags(int *cells, volatile int *flags, int *out)
{
    unsigned t = threadIdx.x, b = blockIdx.x;
    unsigned i = b * 4 + t;
    cells[i] = i; //~ race
    __syncwarp(0xf);
    if (t != 1)
        __threadfence();
    if (t == 1) {
        flags[b] = 1;
        while (flags[1 - b] == 0) {
        }
        __threadfence();
    }
    __syncwarp(0xf);
    out[i] = cells[7 - i]; //~ race
}
