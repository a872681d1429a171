//pass
//--block-dim=64 --grid-dim=4 -D COUNT=__builtin_clz(n)
// assumes: no leading or trailing zeros of 0 are counted (line 11)
// otherwise verified: --block-dim=64 --grid-dim=4 -D COUNT=__clz(n)
// otherwise verified: --block-dim=64 --grid-dim=4 -D COUNT=__builtin_clz(5)
// What comes of it need not be the same for any two threads.
__global__ void zeros_of_zero(int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // What is counted decides where all threads write.
    out[256ull * COUNT + i] = i;
}
