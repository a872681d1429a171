//xfail:NOT_ALL_VERIFIED
//--blockDim=1
// The sum is that of the block before the one that was waited for.

__global__ void chain(volatile int *flag, int *sums, const int *in)
{
    unsigned b = blockIdx.x;
    int before = 0;
    if (b > 0) {
        while (flag[b - 1] == 0) {
        }
        __threadfence();
        before = sums[(b + 1) % gridDim.x]; //~ race
    }
    sums[b] = before + in[b]; //~ race
    __threadfence();
    flag[b] = 1;
}
