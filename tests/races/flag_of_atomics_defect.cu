// racy
// run: --block-dim 1 --grid-dim 2
// Atomic operations of CUDA are relaxed: without fences they order nothing.

__global__ void flag_of_atomics(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        *out = *data; //~ race
    }
}
