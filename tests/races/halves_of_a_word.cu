// race-free
// run: --block-dim 2 --grid-dim 1 --arg halves=zeros:short*2
// One thread writes the upper half of a word, the other one reads the lower half.

__global__ void halves_of_a_word(short *halves, int *out)
{
    if (threadIdx.x == 0) {
        halves[1] = 7;
    } else {
        *out = halves[0];
    }
}
