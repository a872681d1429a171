//pass
//--blockDim=64
// Each block adds the sums of the blocks before it, once their flags are set.

__global__ void wait_for_all(const int *in, int *sums, volatile int *flags, int *out)
{
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        flags[blockIdx.x] = 1;
        int sum = 0;
        for (int at = 0; at < (int)blockIdx.x; at++) {
            while (flags[at] == 0) {
            }
            __threadfence();
            sum += sums[at];
        }
        out[blockIdx.x] = sum;
    }
}
