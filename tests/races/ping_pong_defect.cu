// racy
// run: --block-dim 1 --grid-dim 2
// No fence stands between the flag's number and the data.

__global__ void ping_pong(int *data, volatile int *flag)
{
    for (int turn = blockIdx.x; turn < 6; turn += 2) {
        while (*flag != turn) {
        }
        *data = *data * 2 + blockIdx.x; //~ race
        __threadfence();
        *flag = turn + 1;
    }
}
