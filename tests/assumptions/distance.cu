//pass
//--block-dim=64 --grid-dim=4 -D DISTANCE=m
// assumes: no shift by the width or more (line 10)
// otherwise verified: --block-dim=64 --grid-dim=4 -D DISTANCE=(m&31)
// otherwise verified: --block-dim=64 --grid-dim=4 -D DISTANCE=31
// What comes of it need not stay within the thread's own 64 cells, though what is shifted does.
__global__ void distance(int *out, unsigned n, unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[64ull * i + ((n & 63) >> DISTANCE)] = i;
}
