//pass
//--blockDim=64
// The number that is served is counted up.

__global__ void tickets_counted(unsigned *next, unsigned *served, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1);
        while (atomicAdd(served, 0) != mine) {
        }
        __threadfence();
        *sum = *sum * 2 + blockIdx.x;
        __threadfence();
        atomicAdd(served, 1);
    }
}
