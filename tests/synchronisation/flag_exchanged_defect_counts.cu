//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The reader adds one, and so tells other readers what it has not seen.

__global__ void flag_exchanged(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        atomicExch(flag, 1);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(flag, 1) == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
