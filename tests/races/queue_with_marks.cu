// race-free
// run: --block-dim 2 --grid-dim 2
// The first block's threads draw a slot, fill it and mark it; the others wait for the mark of the slot that they take.

__global__ void queue_with_marks(unsigned *tail, unsigned *head, int *slots, volatile int *marks, int *out)
{
    if (blockIdx.x == 0) {
        unsigned slot = atomicAdd(tail, 1u);
        slots[slot] = threadIdx.x + 1;
        __threadfence();
        marks[slot] = 1;
    } else {
        unsigned slot = atomicAdd(head, 1u);
        while (marks[slot] == 0) {
        }
        __threadfence();
        out[slot] = slots[slot];
    }
}
