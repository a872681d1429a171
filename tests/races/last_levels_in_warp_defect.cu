// racy
// run: --block-dim 32 --grid-dim 1 --arg in=iota:int*32
// Nothing stands between reading another lane's sum and its writing the next one.

__global__ void last_levels_in_warp(const int *in, int *out)
{
    __shared__ int sums[32];
    unsigned lane = threadIdx.x;
    int sum = in[lane];
    sums[lane] = sum;
    for (unsigned half = 16; half > 0; half /= 2) {
        __syncwarp();
        sum += sums[lane ^ half]; //~ race
        sums[lane] = sum; //~ race
    }
    out[lane] = sum;
}
