//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Each block draws from a counter of its own.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next + blockIdx.x, 1);
        while (*served != mine) {
        }
        __threadfence();
        *sum = *sum * 2 + blockIdx.x; //~ race
        __threadfence();
        *served = mine + 1;
    }
}
