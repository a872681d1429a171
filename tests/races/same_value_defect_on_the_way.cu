// racy
// run: --block-dim 1 --grid-dim 2
// schedules: round-robin
// Both leave a 7 there, but the first one writes a 5 on its way, which may come last.

__global__ void same_value(int *seen)
{
    if (blockIdx.x == 0) {
        *seen = 5; //~ race
    }
    *seen = 7; //~ race
}
