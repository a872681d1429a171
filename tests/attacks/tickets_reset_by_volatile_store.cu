//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// A volatile store sets the counter. It is a strong operation, so it does not race with additions.

__global__ void tickets_reset_by_volatile_store(unsigned *next, unsigned *data)
{
    __shared__ unsigned drawn;
    if (threadIdx.x == 0) {
        unsigned row = atomicAdd(next, 32);
        if (row == 12345)
            __threadfence();
        *(volatile unsigned *)next = 0;
        drawn = row;
    }
    __syncthreads();
    data[(size_t)drawn * 64 + threadIdx.x] = blockIdx.x; //~ race
}
