// race-free
// run: --block-dim 4 --grid-dim 2
// The first thread of the waiting block has observed the store of the flag. It precedes what another thread of the
// block does behind their barrier. No fence is needed for the flag itself.

__global__ void flag_set_back_behind_barrier(unsigned *flag)
{
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0)
            atomicExch(flag, 1u);
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(flag, 0u) == 0) {
            }
        }
        __syncthreads();
        if (threadIdx.x == 1)
            *flag = 0;
    }
}
