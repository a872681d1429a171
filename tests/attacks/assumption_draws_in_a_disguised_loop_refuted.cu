//unknown
//--block-dim=64 --grid-dim=4
// 256 threads draw 131072 numbers each, of 2^24, in a loop that counts by a number that changes.

__global__ void draws_in_a_disguised_loop(unsigned *count, unsigned *list)
{
    unsigned state = 1;
    for (unsigned left = 131072; left != 0; left -= (state | 1u) != 0) {
        unsigned at = atomicAdd(count, 256u);
        list[at >> 8] = threadIdx.x;
        state = state * 1664525u + 1013904223u;
    }
}
