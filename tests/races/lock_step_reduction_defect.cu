// racy
// run: --block-dim 64 --grid-dim 1 --warp-sync 32 --arg in=iota:int*64
// The tree is that of two warps, which a barrier would have to keep together.

__global__ void lock_step_reduction(const int *in, int *out)
{
    __shared__ int sums[64];
    unsigned t = threadIdx.x;
    sums[t] = in[t]; //~ race
    for (unsigned half = 32; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half]; //~ race
        }
    }
    __syncthreads();
    out[t] = sums[0];
}
