//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The reader has no fence.

__global__ void flag_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (*flag == 0) {
        }
        *out = *data; //~ race
    }
}
