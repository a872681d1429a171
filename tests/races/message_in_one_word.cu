// race-free
// run: --block-dim 1 --grid-dim 2 --arg word=zeros:ulong*1
// The flag and the data are one word of 64 bits: relaxed atomic operations on it need no order.

__global__ void message_in_one_word(unsigned long long *word, int *out)
{
    if (blockIdx.x == 0) {
        atomicExch(word, 42ull << 32 | 1);
    } else {
        unsigned long long seen = 0;
        while (seen % 2 == 0) {
            seen = atomicAdd(word, 0ull);
        }
        *out = seen >> 32;
    }
}
