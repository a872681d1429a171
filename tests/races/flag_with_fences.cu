// race-free
// run: --block-dim 1 --grid-dim 2
// A message: data, fence, flag; flag, fence, data. With fences around, volatile accesses are relaxed atomic ones.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
