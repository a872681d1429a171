//pass
//--blockDim=64
// Who has the ticket that is served is inside, and serves the next one.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (*served != mine) {
        }
        __threadfence();
        *sum = *sum * 2 + blockIdx.x;
        __threadfence();
        *served = mine + 1;
    }
}
