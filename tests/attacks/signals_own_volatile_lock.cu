//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// The leader gives the lock back if its own volatile variable says so, while others are at work.

__global__ void own_volatile_lock(int *lock, int *data)
{
    volatile unsigned own;
    own = threadIdx.x;
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    data[threadIdx.x] += 1; //~ race
    if (threadIdx.x == 0 && own == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
}
