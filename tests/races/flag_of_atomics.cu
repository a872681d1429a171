// race-free
// run: --block-dim 1 --grid-dim 2
// The flag is set and read by relaxed atomic operations, between fences.

__global__ void flag_of_atomics(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
