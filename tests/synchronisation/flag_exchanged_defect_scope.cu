//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The exchange is for its block alone.

__global__ void flag_exchanged(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch_block(flag, 1); //~ race
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) { //~ race
        }
        __threadfence();
        *out = *data;
    }
}
