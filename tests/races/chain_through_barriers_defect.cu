// racy
// run: --block-dim 8 --grid-dim 2
// Without the barrier in front the one thread speaks for itself only.

__global__ void chain_through_barriers(int *data, volatile int *flag, int *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ race
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
        out[t] = data[7 - t]; //~ race
    }
}
