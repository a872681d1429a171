//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1 --warp-sync=32
// In lock-step, a lane's first number and another lane's second one are equal, as the counter is
// set in between.

__global__ void tickets_reset_in_lock_step(unsigned *data)
{
    __shared__ unsigned next;
    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    unsigned first = atomicAdd(&next, 32);
    next = 0;
    unsigned second = atomicAdd(&next, 32);
    data[threadIdx.x % 2 ? first : second] = threadIdx.x; //~? race
}
