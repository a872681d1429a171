//unknown
//--block-dim=64 --grid-dim=2
// Whatever the function returns, more than 128 numbers are drawn.

__device__ int chosen(int);

__global__ void draws_beside_a_function(int *list, unsigned *count)
{
    int i = threadIdx.x + 64 * blockIdx.x;
    int times = 1 + (i & 1);
    if (chosen(i) == 5) {
        times = 3;
    }
    for (int k = 0; k < times; k++) {
        unsigned at = atomicAdd(count, 0x2000000u);
        list[at >> 25] = i;
    }
}
