//pass
//--blockDim=64 --gridDim=16
// A message: data, fence, flag; flag, fence, data.

__global__ void flag_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
