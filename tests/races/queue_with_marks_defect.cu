// racy
// run: --block-dim 2 --grid-dim 2
// The others wait until the slot is drawn, which is before it is filled.

__global__ void queue_with_marks(unsigned *tail, unsigned *head, int *slots, int *out)
{
    if (blockIdx.x == 0) {
        unsigned slot = atomicAdd(tail, 1u);
        slots[slot] = threadIdx.x + 1; //~ race
        __threadfence();
    } else {
        unsigned slot = atomicAdd(head, 1u);
        while (atomicAdd(tail, 0u) <= slot) {
        }
        __threadfence();
        out[slot] = slots[slot]; //~ race
    }
}
