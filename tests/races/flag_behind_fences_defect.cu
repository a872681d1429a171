// racy
// run: --block-dim 4 --grid-dim 2
// The flag that the other block waits for was written before the barrier: nobody else's fence comes before that.

__global__ void flag_behind_fences(int *cells, volatile int *flag, int *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        cells[t] = t; //~ race
        __threadfence();
        if (t == 0)
            flag[1] = 1;
        __syncthreads();
        if (t == 0)
            flag[0] = 1;
    } else {
        if (t == 0) {
            while (flag[1] == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[t] = cells[3 - t]; //~ race
    }
}
