//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before the flag.

__global__ void wait_for_all(const int *in, int *sums, volatile int *flags, int *out)
{
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[blockIdx.x]; //~ race
        flags[blockIdx.x] = 1;
        int sum = 0;
        for (int at = 0; at < (int)blockIdx.x; at++) {
            while (flags[at] == 0) {
            }
            __threadfence();
            sum += sums[at]; //~ race
        }
        out[blockIdx.x] = sum;
    }
}
