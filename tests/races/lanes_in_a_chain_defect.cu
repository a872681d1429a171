// racy
// run: --block-dim 32 --grid-dim 1
// The two barriers come in the other order for lane 1: lane 3 meets it before it has met lane 0.

__global__ void lanes_in_a_chain(int *out)
{
    __shared__ int message;
    unsigned lane = threadIdx.x;
    if (lane == 0) {
        message = 42; //~ race
    }
    if (lane == 1 || lane == 3) {
        __syncwarp(0xa);
    }
    if (lane < 2) {
        __syncwarp(0x3);
    }
    if (lane == 3) {
        *out = message; //~ race
    }
}
