//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1 --without=preconditions
// The functions of a warp from before lanes had masks need all lanes, and some stay away.

__global__ void lanes(const int *in, int *out)
{
    int t = threadIdx.x;
    if (in[t] > 3) out[t] = __shfl(in[t], 3); //~? warp-divergence
}
