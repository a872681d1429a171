//pass
//--local_size=128 --num_groups=64
// Each block waits for the flag of the block before it, adds to what that one has written, and sets
// its own flag. One thread of the block waits and signals for all.

__global__ void chained_sums(volatile int *done, int *sums, const int *in)
{
    unsigned block = blockIdx.x, t = threadIdx.x;
    int before = 0;
    if (block > 0) {
        if (t == 0) {
            while (done[block - 1] == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        before = sums[(block - 1) * 128 + 127];
    }
    sums[block * 128 + t] = before + in[block * 128 + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        done[block] = 1;
    }
}
