//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1 --assume=distinct(order) --without=preconditions
// The kernel changes the elements that differ at the beginning.
__global__ void scatter(int *out, int *order)
{
    int i = threadIdx.x;
    order[i] = i / 2;
    __syncthreads();
    out[order[i]] = i; //~? race
}
