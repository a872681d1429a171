// race-free
// run: --block-dim 1 --grid-dim 2
// The two blocks write the data in turn: who has read the flag's number writes next, and passes it on.

__global__ void ping_pong(int *data, volatile int *flag)
{
    for (int turn = blockIdx.x; turn < 6; turn += 2) {
        while (*flag != turn) {
        }
        __threadfence();
        *data = *data * 2 + blockIdx.x;
        __threadfence();
        *flag = turn + 1;
    }
}
