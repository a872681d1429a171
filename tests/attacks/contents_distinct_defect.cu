//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=sorted(order) --without=preconditions
// Elements in order may be equal.
__global__ void scatter(int *out, const int *order, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[order[i]] = i; //~ race
}
