// racy
// run: --block-dim 4 --grid-dim 2
// schedules: in-order
// The first thread does not wait until the flag is set, so it may not have observed the store.

__global__ void flag_set_back_behind_barrier(unsigned *flag)
{
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0)
            atomicExch(flag, 1u); //~ race
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(flag, 0u) == 2) {
            }
        }
        __syncthreads();
        if (threadIdx.x == 1)
            *flag = 0; //~ race
    }
}
