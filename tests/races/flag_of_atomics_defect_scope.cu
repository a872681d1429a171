// racy
// run: --block-dim 1 --grid-dim 2
// The flag's atomic operations are of block scope: they race with each other, and carry nothing.

__global__ void flag_of_atomics(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        atomicExch_block(flag, 1); //~ race
    } else {
        while (atomicAdd_block(flag, 0) == 0) { //~ race
        }
        __threadfence();
        *out = *data; //~ race
    }
}
