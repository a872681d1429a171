//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The fences are for their blocks alone.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (*served != mine) {
        }
        __threadfence_block();
        *sum = *sum * 2 + blockIdx.x; //~ race
        __threadfence_block();
        *served = mine + 1;
    }
}
