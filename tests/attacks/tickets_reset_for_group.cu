//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// Another thread sets the counter while its block has the lock.

__global__ void tickets_reset_for_group(int *lock, unsigned *next, unsigned *data)
{
    __shared__ unsigned drawn;
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        drawn = atomicAdd(next, 32);
    }
    __syncthreads();
    unsigned row = drawn;
    if (threadIdx.x == 1)
        *next = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
    data[(size_t)row * 64 + threadIdx.x] = blockIdx.x; //~ race
}
