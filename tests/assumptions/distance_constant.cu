//pass
//--block-dim=64 --grid-dim=4 -D DISTANCE=32
// assumes: no shift by the width or more (line 12)
// otherwise verified: --block-dim=64 --grid-dim=4 -D DISTANCE=(m&31)
// otherwise verified: --block-dim=64 --grid-dim=4 -D DISTANCE=31
// As distance.cu, with a constant, in a branch that callers need not take.
__global__ void distance_constant(int *out, unsigned n, unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = n & 63;
    if (m == 77)
        at = at >> DISTANCE;
    out[64ull * i + at] = i;
}
