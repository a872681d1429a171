//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// 256 threads draw 131072 numbers each, of 2^24.

__global__ void draws_in_a_long_loop(unsigned *count, unsigned *list)
{
    for (int i = 0; i < 131072; i++) {
        unsigned at = atomicAdd(count, 256u);
        list[at >> 8] = threadIdx.x; //~? race
    }
}
