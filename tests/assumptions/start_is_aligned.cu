//pass
//--block-dim=64 --grid-dim=4
// assumes: `in` starts at a multiple of 16 bytes
// otherwise verified: --block-dim=64 --grid-dim=4 -D OTHERWISE
// An array of floats may start anywhere that is right for a float.
__global__ void start_is_aligned(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef OTHERWISE
    out[i] = in[4 * i];
#else
    out[i] = ((const float4 *)in)[i].x;
#endif
}
