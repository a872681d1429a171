// race-free
// run: --block-dim 32 --grid-dim 1
// Lane 3 learns of lane 0 through lane 1, with which it meets at the second barrier: 0 and 1, then 1 and 3.

__global__ void lanes_in_a_chain(int *out)
{
    __shared__ int message;
    unsigned lane = threadIdx.x;
    if (lane == 0) {
        message = 42;
    }
    if (lane < 2) {
        __syncwarp(0x3);
    }
    if (lane == 1 || lane == 3) {
        __syncwarp(0xa);
    }
    if (lane == 3) {
        *out = message;
    }
}
