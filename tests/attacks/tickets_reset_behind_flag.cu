//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// The first block sets the counter before its flag, so the second one draws the same number.

__global__ void tickets_reset_behind_flag(int *flag, unsigned *next, unsigned *data)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            unsigned row = atomicAdd(next, 32);
            *next = row;
            __threadfence();
            atomicExch(flag, 1);
            data[row] = 1; //~ race
        } else {
            while (atomicAdd(flag, 0) != 1) {
            }
            __threadfence();
            unsigned row = atomicAdd(next, 32);
            data[row] = 2; //~ race
        }
    }
}
