//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The leader has no fence behind its wait.

__global__ void wait_for_all_of_block(const int *in, int *data, int *flags, int *out)
{
    data[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x]; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
    int sum = 0;
    for (int at = 0; at < (int)blockIdx.x; at++) {
        if (threadIdx.x == 0) {
            while (atomicAdd(&flags[at], 0) == 0) {
            }
        }
        __syncthreads();
        sum += data[at * 64 + threadIdx.x]; //~ race
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
