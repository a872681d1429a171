//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// The same in a loop, where the counter is set only behind the eighth number.

__global__ void tickets_reset_in_loop(int *lock, unsigned *next, unsigned *data, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            while (atomicCAS(lock, 0, 1) != 0) {
            }
            __threadfence();
            unsigned row = atomicAdd(next, 1);
            if (row == 7)
                *next = 0;
            __threadfence();
            atomicExch(lock, 0);
            data[row] = blockIdx.x; //~ race
        }
    }
}
