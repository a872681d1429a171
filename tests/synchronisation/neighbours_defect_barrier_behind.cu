//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The threads do not wait for the one that waits.

__global__ void neighbours(float *a, float *b, int *progress, int steps)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, size = gridDim.x * 64;
    for (int step = 0; step < steps; step++) {
        float *from = step % 2 == 0 ? a : b;
        float *to = step % 2 == 0 ? b : a;
        if (threadIdx.x == 0) {
            if (blockIdx.x > 0)
                while (*(volatile int *)&progress[blockIdx.x - 1] < step) {
                }
            if (blockIdx.x + 1 < gridDim.x)
                while (*(volatile int *)&progress[blockIdx.x + 1] < step) {
                }
            __threadfence();
        }
        float left = i > 0 ? from[i - 1] : 0; //~ race left
        float right = i + 1 < size ? from[i + 1] : 0; //~ race right
        to[i] = left + from[i] + right; //~ race left //~ race right
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *(volatile int *)&progress[blockIdx.x] = step + 1;
        }
    }
}
