//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence behind the wait.

__global__ void tickets_counted(unsigned *next, unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (atomicAdd(served, 0) != mine) {
        }
        *sum = *sum * 2 + blockIdx.x; //~ race
        __threadfence();
        atomicAdd(served, 1);
    }
}
