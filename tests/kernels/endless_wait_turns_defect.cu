//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The first block keeps the turn, for which the others wait.

__global__ void turns(int *turn, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != blockIdx.x) { //~ endless-wait
        }
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        if (blockIdx.x > 0) atomicAdd(turn, 1);
    }
}
