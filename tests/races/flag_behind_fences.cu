// race-free
// run: --block-dim 4 --grid-dim 2
// The flag that the other block waits for is the one that was written behind the fences.

__global__ void flag_behind_fences(int *cells, volatile int *flag, int *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        cells[t] = t;
        __threadfence();
        __syncthreads();
        if (t == 0) {
            flag[0] = 1;
            flag[1] = 1;
        }
    } else {
        if (t == 0) {
            while (flag[1] == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[t] = cells[3 - t];
    }
}
