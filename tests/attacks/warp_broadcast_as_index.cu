//pass
//--block-dim=64 --grid-dim=1
// All lanes of a warp get the same, so each writes a place of its own behind it; warps have places apart.

__global__ void spread(const int *in, int *out)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned base = __shfl_sync(0xffffffffu, in[threadIdx.x], 0);
    if (base < 1024) {
        out[2048 * warp + base + lane] = threadIdx.x;
    }
}
