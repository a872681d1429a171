// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32 --arg in=iota:int*32
// In lock-step one level of the tree ends before the next one begins.

__global__ void lock_step_reduction(const int *in, int *out)
{
    __shared__ int sums[32];
    unsigned t = threadIdx.x;
    sums[t] = in[t];
    for (unsigned half = 16; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
        }
    }
    out[t] = sums[0];
}
