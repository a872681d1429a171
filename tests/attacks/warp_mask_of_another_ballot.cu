//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The ballot counts lanes that the branch leaves out.

__global__ void some(const int *in, int *out, int n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, i <= n);
    if (i < n) {
        int value = in[i];
        int others = __reduce_add_sync(mask, value); //~? warp-divergence
        out[i] = others - value;
    }
}
