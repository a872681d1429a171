//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Nobody sets the counter back, so that nobody is the last one in the second round.

__device__ unsigned count;
__device__ volatile unsigned generation;

__global__ void three_rounds(int *a, int *b)
{
    unsigned all = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    for (int round = 0; round < 3; round++) {
        unsigned half = round % 2 == 0 ? 0 : all;
        a[half + i] = round;
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned now = generation;
            __threadfence();
            if (atomicAdd(&count, 1) == gridDim.x - 1) {
                __threadfence();
                generation = now + 1;
            } else {
                while (generation == now) { //~ endless-wait
                }
            }
            __threadfence();
        }
        __syncthreads();
        b[i] += a[half + all - 1 - i];
    }
}
