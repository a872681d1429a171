//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1 --assume=distinct(order)||n<9 --without=preconditions
// The elements may be equal in small launches.
__global__ void scatter(int *out, const int *order, int n)
{
    int i = threadIdx.x;
    if (i < n) out[order[i]] = i; //~? race
}
