//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=64
// As chained_sums.cu, but the thread that signals does not wait for the others of its block.

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
        before = sums[(block - 1) * 128 + 127]; //~ race
    }
    sums[block * 128 + t] = before + in[block * 128 + t]; //~ race
    if (t == 0) {
        __threadfence();
        done[block] = 1;
    }
}
