//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// Lanes that pass by have not returned, though nothing is left for them to do.

__global__ void sum(const int *in, int *out, int n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        out[i] = __reduce_add_sync(0xffffffffu, in[i]); //~? warp-divergence
    }
}
