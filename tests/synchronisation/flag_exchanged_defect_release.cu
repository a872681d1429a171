//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The writer has no fence.

__global__ void flag_exchanged(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        atomicExch(flag, 1);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
