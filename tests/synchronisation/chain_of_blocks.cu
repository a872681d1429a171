//pass
//--blockDim=64
// Each block waits for the one before it, by one thread for all.

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
        before = sums[(b - 1) * 64 + 63 - t];
    }
    sums[b * 64 + t] = before + in[b * 64 + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        flag[b] = 1;
    }
}
