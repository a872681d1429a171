//pass
//--block-dim=64 --grid-dim=4
// 256 threads draw 65536 numbers each, which is all of 2^24.

__global__ void draws_in_a_long_loop(unsigned *count, unsigned *list)
{
    for (int i = 0; i < 65536; i++) {
        unsigned at = atomicAdd(count, 256u);
        list[at >> 8] = threadIdx.x;
    }
}
