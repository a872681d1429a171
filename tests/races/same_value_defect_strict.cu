// racy
// run: --block-dim 32 --grid-dim 2 --no-benign-tolerance
// The same value, where that is asked not to be tolerated: two writes that nothing orders.

__global__ void same_value(int *seen)
{
    *seen = 1; //~ race
}
