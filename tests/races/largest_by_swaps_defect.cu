// racy
// run: --block-dim 16 --grid-dim 2
// What it starts with is read by a plain load.

__global__ void largest_by_swaps(int *largest)
{
    int value = (blockIdx.x * 16 + threadIdx.x) * 7 % 32;
    int old = *largest; //~ race
    while (old < value) {
        int found = atomicCAS(largest, old, value); //~ race
        if (found == old) {
            break;
        }
        old = found;
    }
}
