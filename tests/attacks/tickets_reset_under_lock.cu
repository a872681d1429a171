//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// A counter is set again under a lock: two blocks draw the same number, one after the other.

__global__ void tickets_reset_under_lock(int *lock, unsigned *next, unsigned *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        unsigned row = atomicAdd(next, 32);
        *next = 0;
        __threadfence();
        atomicExch(lock, 0);
        data[row] = blockIdx.x; //~ race
    }
}
