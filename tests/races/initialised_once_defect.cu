// racy
// run: --block-dim 1 --grid-dim 3
// schedules: round-robin
// The others wait until somebody has begun: a race of the runs in which they read before it has said that it is done.

__global__ void initialised_once(int *state, int *table, int *out)
{
    if (atomicCAS(state, 0, 1) == 0) {
        table[0] = 42; //~ race
        __threadfence();
        atomicExch(state, 2);
    }
    while (atomicAdd(state, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = table[0]; //~ race
}
