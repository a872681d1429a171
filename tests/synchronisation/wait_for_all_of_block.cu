//pass
//--blockDim=64
// The leader of each block waits for the blocks before it, and all its threads read their data.

__global__ void wait_for_all_of_block(const int *in, int *data, int *flags, int *out)
{
    data[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
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
            __threadfence();
        }
        __syncthreads();
        sum += data[at * 64 + threadIdx.x];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
