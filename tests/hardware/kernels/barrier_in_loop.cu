//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The second warp makes one round more than the first.

__global__ void barrier_in_loop(int *out)
{
    __shared__ int sum;
    unsigned t = threadIdx.x;
    if (t == 0) {
        sum = 0;
    }
    for (unsigned i = 0; i < 2 + t / 32; i++) {
        __syncthreads(); //~ barrier-divergence
        atomicAdd(&sum, 1);
    }
    out[t] = t;
}
