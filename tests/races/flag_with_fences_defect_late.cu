// racy
// run: --block-dim 1 --grid-dim 2
// The data is written after the fence, which releases only what came before it.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        __threadfence();
        *data = 42; //~ race
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
