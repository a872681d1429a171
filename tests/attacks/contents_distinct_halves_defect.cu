//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=distinct(order) --without=preconditions
// The elements differ, but not their halves.
__global__ void scatter(int *out, const int *order, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[order[i] / 2] = i; //~ race
}
