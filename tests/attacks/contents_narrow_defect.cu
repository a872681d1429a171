//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=distinct(order)&&n==256 --without=preconditions
// A permutation of all bytes: a thread behind the end has an element that equals another one.
__global__ void k(const unsigned char *order, int *out, int *last, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = order[i];
        if (v >= 300) out[v] = i;
    }
    last[i >= n ? 0 : i + 1] = i; //~ race
}
