// racy
// run: --block-dim 32 --grid-dim 2
// The values differ.

__global__ void same_value(int *seen)
{
    *seen = threadIdx.x; //~ race
}
