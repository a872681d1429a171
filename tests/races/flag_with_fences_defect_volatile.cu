// racy
// run: --block-dim 1 --grid-dim 2
// No fences at all: volatile accesses alone tell nobody anything, and race like plain ones.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        *flag = 1; //~ race
    } else {
        while (*flag == 0) { //~ race
        }
        *out = *data; //~ race
    }
}
