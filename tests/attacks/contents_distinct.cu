//pass
//--block-dim=* --grid-dim=* --assume=distinct(order) --without=preconditions
// No two elements are equal.
__global__ void scatter(int *out, const int *order, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[order[i]] = i;
}
