// racy
// run: --block-dim 64 --grid-dim 1
// The message is read before the barrier.

__global__ void message_to_other_warp(int *out)
{
    __shared__ int message;
    if (threadIdx.x == 5) {
        message = 42; //~ race
    }
    if (threadIdx.x == 40) {
        *out = message; //~ race
    }
    __syncthreads();
}
