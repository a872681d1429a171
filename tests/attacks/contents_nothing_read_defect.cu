//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=within(a,0,m) --without=preconditions
// Nothing is read, so the array may be empty.
__global__ void k(const int *a, int *out, int *status, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        int v = a[i];
        if (v >= 2) out[i] = v;
    }
    if (m <= 0) status[0] = i; //~ race
}
