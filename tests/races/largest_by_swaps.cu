// race-free
// run: --block-dim 16 --grid-dim 2
// Compare and swap until it succeeds; what it starts with is read atomically, too.

__global__ void largest_by_swaps(int *largest)
{
    int value = (blockIdx.x * 16 + threadIdx.x) * 7 % 32;
    int old = atomicAdd(largest, 0);
    while (old < value) {
        int found = atomicCAS(largest, old, value);
        if (found == old) {
            break;
        }
        old = found;
    }
}
