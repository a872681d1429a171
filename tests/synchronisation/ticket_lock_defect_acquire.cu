//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence behind the wait.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (*served != mine) {
        }
        *sum = *sum * 2 + blockIdx.x; //~ race
        __threadfence();
        *served = mine + 1;
    }
}
