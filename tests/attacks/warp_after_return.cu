//pass
//--block-dim=64 --grid-dim=4
// Lanes that have returned are not waited for.

__global__ void sum(const int *in, int *out, int n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = __reduce_add_sync(0xffffffffu, in[i]);
}
