// race-free
// run: --block-dim 1 --grid-dim 3
// The first one fills the table and says so; all others wait until it has.

__global__ void initialised_once(int *state, int *table, int *out)
{
    if (atomicCAS(state, 0, 1) == 0) {
        table[0] = 42;
        __threadfence();
        atomicExch(state, 2);
    }
    while (atomicAdd(state, 0) != 2) {
    }
    __threadfence();
    out[blockIdx.x] = table[0];
}
