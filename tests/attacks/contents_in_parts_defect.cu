//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1 --assume=distinct(order) --without=preconditions
// The elements differ, but not their lowest bytes.
__global__ void scatter(int *out, const int *order)
{
    int i = threadIdx.x;
    out[*(const unsigned char *)&order[i]] = i; //~ race
}
