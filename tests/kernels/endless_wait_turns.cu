//pass
//--blockDim=64
// Each block hands the turn on to the next one.

__global__ void turns(int *turn, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != blockIdx.x) {
        }
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        *(volatile int *)turn = blockIdx.x + 1;
    }
}
