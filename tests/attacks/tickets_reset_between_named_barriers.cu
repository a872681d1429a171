//xfail:NOT_ALL_VERIFIED
//--block-dim=96 --grid-dim=1
// Warp 0 draws, then warp 1 sets the counter, then warp 2 draws: named barriers order them, in
// another order than the text has.

__global__ void tickets_reset_between_named_barriers(unsigned *data)
{
    __shared__ unsigned next;
    unsigned warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    if (warp == 1) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (threadIdx.x % 32 == 0)
            next = 0;
        __syncwarp();
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
    if (warp == 2) {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        unsigned row = atomicAdd(&next, 1);
        data[row] = threadIdx.x; //~ race both //~? race late
    }
    if (warp == 0) {
        unsigned row = atomicAdd(&next, 1);
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        data[row] = threadIdx.x; //~ race both //~? race early
    }
}
