// racy
// run: --block-dim 128 --grid-dim 2 --arg in=iota:int*256
// The last levels are those of one warp, which is no reason to do without barriers.

__global__ void tree_reduction(const int *in, int *out)
{
    __shared__ int sums[128];
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * 128 + t];
    for (unsigned half = 64; half > 0; half /= 2) {
        if (half >= 32) {
            __syncthreads();
        }
        if (t < half) {
            sums[t] += sums[t + half]; //~ race
        }
    }
    if (t == 0) {
        out[blockIdx.x] = sums[0];
    }
}
