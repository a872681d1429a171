//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// A thread that has no ticket serves the next one.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 1)
        *served = blockIdx.x;
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (*served != mine) {
        }
        __threadfence();
        *sum = *sum * 2 + blockIdx.x; //~ race
        __threadfence();
        *served = mine + 1;
    }
}
