//pass
//--blockDim=1
// Each block waits for the one before it. The number of blocks is open.

__global__ void chain(volatile int *flag, int *sums, const int *in)
{
    unsigned b = blockIdx.x;
    int before = 0;
    if (b > 0) {
        while (flag[b - 1] == 0) {
        }
        __threadfence();
        before = sums[b - 1];
    }
    sums[b] = before + in[b];
    __threadfence();
    flag[b] = 1;
}
