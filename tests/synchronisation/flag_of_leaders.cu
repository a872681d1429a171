//pass
//--blockDim=64 --gridDim=16
// One thread of a block signals for all, one of each other block waits for all.

__global__ void flag_of_leaders(int *data, volatile int *flag, int *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            *flag = 1;
        }
    } else {
        if (t == 0) {
            while (*flag == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[blockIdx.x * 64 + t] = data[63 - t];
    }
}
