//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Each thread of the block may signal.

__global__ void flag_of_leaders(int *data, volatile int *flag, int *out, unsigned n)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ race
        if (t < n) {
            __threadfence();
            *flag = 1;
        }
    } else {
        if (t == 0) {
            while (*flag == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[blockIdx.x * 64 + t] = data[63 - t]; //~ race
    }
}
