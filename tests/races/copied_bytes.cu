// race-free
// run: --block-dim 32 --grid-dim 1 --arg in=iota:int*32
// Pieces of 16 bytes lie side by side.

__global__ void copied_bytes(const int *in, int *out)
{
    memcpy(out + 4 * threadIdx.x, in, 16);
}
