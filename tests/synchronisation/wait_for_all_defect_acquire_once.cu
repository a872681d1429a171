//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is one fence, before all waits.

__global__ void wait_for_all(const int *in, int *sums, volatile int *flags, int *out)
{
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[blockIdx.x]; //~ race
        __threadfence();
        flags[blockIdx.x] = 1;
        int sum = 0;
        __threadfence();
        for (int at = 0; at < (int)blockIdx.x; at++) {
            while (flags[at] == 0) {
            }
            sum += sums[at]; //~ race
        }
        out[blockIdx.x] = sum;
    }
}
