//pass
//--block-dim=64 --grid-dim=4
// A ballot before the branch tells which lanes take it: these wait for each other.

__global__ void some(const int *in, int *out, int n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, i < n);
    if (i < n) {
        int value = in[i];
        int others = __reduce_add_sync(mask, value);
        out[i] = others - value;
    }
}
