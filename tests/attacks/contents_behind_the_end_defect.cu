//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=distinct(order)&&within(order,0,n) --without=preconditions
// All numbers are used up, and threads behind the end have none.
__global__ void k(const int *order, int *out, int *last, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = order[i];
        if (v >= 0) out[v] = i;
    }
    if (n == 1) last[0] = i; //~ race
}
