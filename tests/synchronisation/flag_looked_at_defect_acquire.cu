//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// There is no fence behind the look.

__global__ void flag_looked_at(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        if (*flag == 1) {
            *out = *data; //~ race
        }
    }
}
