//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Lanes of each half get another lane's value: the halves may meet.

__global__ void spread(const int *in, int *out)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned base = __shfl_sync(0xffffffffu, in[threadIdx.x], 0, 16);
    if (base < 1024) {
        out[2048 * warp + base + lane] = threadIdx.x; //~ race
    }
}
