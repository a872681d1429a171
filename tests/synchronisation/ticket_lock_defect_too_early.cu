//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The next ticket is served before the sum is.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (*served != mine) {
        }
        __threadfence();
        *served = mine + 1;
        *sum = *sum * 2 + blockIdx.x; //~ race
    }
}
