//pass
//--block-dim=16 --grid-dim=4
// assumes: arguments and loaded values make the accessed address a multiple of 4 bytes (line 13)
// otherwise verified: --block-dim=16 --grid-dim=4 --no-check=alignment
// otherwise verified: --block-dim=16 --grid-dim=4 -D OTHERWISE
// broken: --block-dim=16 --grid-dim=2 --arg=pitch=257
__global__ void arguments_align(const char *base, float *out, unsigned pitch)
{
#ifdef OTHERWISE
    pitch *= 4;
#endif
    const float *row = (const float *)(base + blockIdx.x * pitch);
    out[blockIdx.x * 16 + threadIdx.x] = row[threadIdx.x];
}
