//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=distinct(first) --without=preconditions
// A fact about one array is none about another.
__global__ void scatter(int *out, const int *first, const int *second, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[second[first[i]]] = i; //~ race
}
