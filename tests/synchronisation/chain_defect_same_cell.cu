//xfail:NOT_ALL_VERIFIED
//--blockDim=1
// All blocks use one flag.

__global__ void chain(volatile int *flag, int *sums, const int *in)
{
    unsigned b = blockIdx.x;
    int before = 0;
    if (b > 1) {
        while (flag[0] == 0) {
        }
        __threadfence();
        before = sums[b - 1]; //~ race
    }
    sums[b] = before + in[b]; //~ race
    __threadfence();
    flag[0] = 1;
}
