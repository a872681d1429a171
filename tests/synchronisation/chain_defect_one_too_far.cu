//xfail:NOT_ALL_VERIFIED
//--blockDim=1
// The block waits for the one two before it, and reads the sum of the one before it.

__global__ void chain(volatile int *flag, int *sums, const int *in)
{
    unsigned b = blockIdx.x;
    int before = 0;
    if (b > 1) {
        while (flag[b - 2] == 0) {
        }
        __threadfence();
        before = sums[b - 1]; //~ race
    }
    sums[b] = before + in[b]; //~ race
    __threadfence();
    flag[b] = 1;
}
