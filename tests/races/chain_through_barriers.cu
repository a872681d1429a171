// race-free
// run: --block-dim 8 --grid-dim 2
// One thread of a block speaks for all, one of the other block hears for all: barriers stand before and behind.

__global__ void chain_through_barriers(int *data, volatile int *flag, int *out)
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
        if (t == 3) {
            while (*flag == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[t] = data[7 - t];
    }
}
