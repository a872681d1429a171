//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The writers have no fences.

__global__ void fences_of_all(int *data, volatile int *flag, int *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t; //~ race
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else {
        if (t == 0) {
            while (*flag == 0) {
            }
        }
        __syncthreads();
        __threadfence();
        out[blockIdx.x * 64 + t] = data[63 - t]; //~ race
    }
}
