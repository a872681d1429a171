// racy
// run: --block-dim 1 --grid-dim 2
// The writer's fence includes the reader, the reader's does not include the writer: in the PTX model both have to.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence_block();
        *out = *data; //~ race
    }
}
