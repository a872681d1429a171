//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before it is counted up.

__global__ void tickets_counted(unsigned *next, unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (atomicAdd(served, 0) != mine) {
        }
        __threadfence();
        *sum = *sum * 2 + blockIdx.x; //~ race
        atomicAdd(served, 1);
    }
}
