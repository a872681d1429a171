// racy
// run: --block-dim 32 --grid-dim 2
// One thread reads the place that all others write the same value to.

__global__ void same_value(int *seen, int *out)
{
    if (blockIdx.x == 1 && threadIdx.x == 17) {
        *out = *seen; //~ race
    } else {
        *seen = 1; //~ race
    }
}
