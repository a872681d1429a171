//pass
//--block-dim=64 --grid-dim=4
// assumes: textures are not written while the kernel runs (line 11)
// otherwise verified: --block-dim=64 --grid-dim=4 -D OTHERWISE
__global__ void textures(cudaTextureObject_t in, const float *linear, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef OTHERWISE
    out[i] = linear[i];
#else
    out[i] = tex1Dfetch<float>(in, i);
#endif
}
