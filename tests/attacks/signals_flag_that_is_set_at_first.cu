//unknown
//--local_size=64 --num_groups=4
// The flag is set by its initialiser.

__device__ int flag = 1;
__global__ void k(int *data, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        __threadfence();
        *(volatile int *)&flag = 1;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (*(volatile int *)&flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
