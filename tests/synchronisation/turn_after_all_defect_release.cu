//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before the flag.

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
        sums[blockIdx.x] = sum; //~ race
        atomicExch(&flags[blockIdx.x], 1);
    }
}
