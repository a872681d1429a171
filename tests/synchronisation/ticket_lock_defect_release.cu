//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before the next ticket is served.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (*served != mine) {
        }
        __threadfence();
        *sum = *sum * 2 + blockIdx.x; //~ race
        *served = mine + 1;
    }
}
