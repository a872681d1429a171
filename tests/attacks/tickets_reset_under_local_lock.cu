//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A counter and its lock in shared memory.

__global__ void tickets_reset_under_local_lock(unsigned *data)
{
    __shared__ unsigned next, lock;
    if (threadIdx.x == 0) {
        next = 0;
        lock = 0;
    }
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    unsigned row = atomicAdd(&next, 32);
    next = 0;
    __threadfence_block();
    atomicExch(&lock, 0);
    data[row] = threadIdx.x; //~ race
}
