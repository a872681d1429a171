//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// It reads the sum of the next block, which is the own one at last.

__global__ void turn_after_all(const int *in, int *sums, int *flags)
{
    if (threadIdx.x == 0) {
        int sum = in[blockIdx.x];
        for (int at = 0; at < (int)blockIdx.x; at++) {
            while (atomicAdd(&flags[at], 0) == 0) {
            }
            __threadfence();
            sum += sums[at + 1 < (int)blockIdx.x ? at + 1 : at]; //~ race
        }
        sums[blockIdx.x] = sum; //~ race
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}
