//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// Pairs of floats are read at every float.

__global__ void misaligned(const float *in, float *out)
{
    unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    float2 pair = *(const float2 *)(in + g); //~ misaligned-access
    out[g] = pair.x + pair.y;
}
