//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The reader has no fence.

__global__ void flag_exchanged(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        atomicExch(flag, 1);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        *out = *data; //~ race
    }
}
