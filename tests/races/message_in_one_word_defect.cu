// racy
// run: --block-dim 1 --grid-dim 2 --arg word=zeros:ulong*1
// The half with the flag is read apart: an operation of another width.

__global__ void message_in_one_word(unsigned long long *word, int *out)
{
    if (blockIdx.x == 0) {
        atomicExch(word, 42ull << 32 | 1); //~ race
    } else {
        while (atomicAdd((unsigned *)word, 0u) == 0) { //~ race
        }
        *out = atomicAdd(word, 0ull) >> 32;
    }
}
