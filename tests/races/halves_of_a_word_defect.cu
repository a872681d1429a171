// racy
// run: --block-dim 2 --grid-dim 1 --arg halves=zeros:short*2
// The other one reads the whole word, and uses the lower half only.

__global__ void halves_of_a_word(short *halves, int *out)
{
    if (threadIdx.x == 0) {
        halves[1] = 7; //~ race
    } else {
        *out = *(int *)halves & 0xffff; //~ race
    }
}
