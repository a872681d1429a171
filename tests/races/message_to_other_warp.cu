// race-free
// run: --block-dim 64 --grid-dim 1
// One thread of the first warp writes, one of the second reads.

__global__ void message_to_other_warp(int *out)
{
    __shared__ int message;
    if (threadIdx.x == 5) {
        message = 42;
    }
    __syncthreads();
    if (threadIdx.x == 40) {
        *out = message;
    }
}
