// race-free
// run: --block-dim 32 --grid-dim 2
// All threads write the same value to one place, which is tolerated: any order leaves it there.

__global__ void same_value(int *seen)
{
    *seen = 1;
}
