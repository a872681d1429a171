//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The first block hands the turn to one that is not there, and the others wait.

__global__ void turns(int *turn, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != blockIdx.x) { //~ endless-wait
        }
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        *(volatile int *)turn = blockIdx.x + 5;
    }
}
