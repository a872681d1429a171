//pass
//--block-dim=16 --grid-dim=4
// assumes: arguments and what is loaded make the address that line 13 accesses a multiple of 4 bytes
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
