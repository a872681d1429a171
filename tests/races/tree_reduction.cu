// race-free
// run: --block-dim 128 --grid-dim 2 --arg in=iota:int*256
// The sums of a tree: every level has its barrier.

__global__ void tree_reduction(const int *in, int *out)
{
    __shared__ int sums[128];
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * 128 + t];
    for (unsigned half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            sums[t] += sums[t + half];
        }
    }
    if (t == 0) {
        out[blockIdx.x] = sums[0];
    }
}
