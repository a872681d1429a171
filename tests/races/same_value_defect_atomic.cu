// racy
// run: --block-dim 1 --grid-dim 2
// The same value by a plain store and an atomic one: that they agree is tolerated of plain stores only.

__global__ void same_value(int *seen)
{
    if (blockIdx.x == 0) {
        *seen = 1; //~ race
    } else {
        atomicExch(seen, 1); //~ race
    }
}
