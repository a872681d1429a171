//unknown
//--block-dim=64 --grid-dim=4
// 256 threads draw 131072 numbers each, of 2^24, in a loop whose length is not known at once.

__global__ void draws_in_a_doubling_loop(unsigned *count, unsigned *list)
{
    unsigned state = 1;
    unsigned left = 131072;
    while (left != 0) {
        unsigned at = atomicAdd(count, 256u);
        list[at >> 8] = threadIdx.x;
        state = state * 1664525u + 1013904223u;
        left = (state | 1u) != 0 ? left - 1 : left;
        left = left ^ (state & 0u);
    }
    list[0x1000000] = state;
}
