//pass
//--blockDim=64 --gridDim=16
// The reader looks once.

__global__ void flag_looked_at(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        if (*flag == 1) {
            __threadfence();
            *out = *data;
        }
    }
}
