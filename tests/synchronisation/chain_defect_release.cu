//xfail:NOT_ALL_VERIFIED
//--blockDim=1
// There is no fence before the flag.

__global__ void chain(volatile int *flag, int *sums, const int *in)
{
    unsigned b = blockIdx.x;
    int before = 0;
    if (b > 0) {
        while (flag[b - 1] == 0) {
        }
        __threadfence();
        before = sums[b - 1]; //~ race
    }
    sums[b] = before + in[b]; //~ race
    flag[b] = 1;
}
