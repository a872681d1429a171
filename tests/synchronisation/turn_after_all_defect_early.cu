//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// It tells of its sum before the sum is there.

__global__ void turn_after_all(const int *in, int *sums, int *flags)
{
    if (threadIdx.x == 0) {
        int sum = in[blockIdx.x];
        for (int at = 0; at < (int)blockIdx.x; at++) {
            while (atomicAdd(&flags[at], 0) == 0) {
            }
            __threadfence();
            sum += sums[at]; //~ race
        }
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
        sums[blockIdx.x] = sum; //~ race
    }
}
