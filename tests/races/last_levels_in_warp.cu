// race-free
// run: --block-dim 32 --grid-dim 1 --arg in=iota:int*32
// The levels of a reduction within a warp: a barrier of the warp between reading and writing, and one between levels.

__global__ void last_levels_in_warp(const int *in, int *out)
{
    __shared__ int sums[32];
    unsigned lane = threadIdx.x;
    int sum = in[lane];
    sums[lane] = sum;
    for (unsigned half = 16; half > 0; half /= 2) {
        __syncwarp();
        sum += sums[lane ^ half];
        __syncwarp();
        sums[lane] = sum;
    }
    out[lane] = sum;
}
