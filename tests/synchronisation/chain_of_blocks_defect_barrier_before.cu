//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The block does not wait for its threads.

__global__ void chain_of_blocks(volatile int *flag, int *sums, const int *in)
{
    unsigned b = blockIdx.x, t = threadIdx.x;
    int before = 0;
    if (b > 0) {
        if (t == 0) {
            while (flag[b - 1] == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        before = sums[(b - 1) * 64 + 63 - t]; //~ race
    }
    sums[b * 64 + t] = before + in[b * 64 + t]; //~ race
    if (t == 0) {
        __threadfence();
        flag[b] = 1;
    }
}
