//unknown
//--blockDim=64 --no-replay --without=concrete-search --without=unrolling --without=preconditions
// Two blocks have the same turn, whose number is computed behind the read that it is compared with.

__global__ void late_number(int *turn, int *sums)
{
    if (threadIdx.x == 0) {
        while (*(volatile int *)turn != blockIdx.x / 2) {
        }
        __threadfence();
    }
    __syncthreads();
    sums[threadIdx.x] += blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile int *)turn = blockIdx.x / 2 + 1;
    }
}
