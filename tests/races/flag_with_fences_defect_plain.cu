// racy
// run: --block-dim 1 --grid-dim 2
// The flag is a plain variable: its own accesses race, and what is not atomic brings no message.

__global__ void flag_with_fences(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1; //~ race
    } else {
        while (*flag == 0) { //~ race
        }
        __threadfence();
        *out = *data; //~ race
    }
}
