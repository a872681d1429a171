//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// No iteration has written what the sum starts with.

__global__ void initialised_later(const int *in, int *out, int rounds)
{
    __shared__ int previous[64];
    int sum = previous[63 - threadIdx.x]; //~ uninitialised-read
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        previous[threadIdx.x] = in[r * 64 + threadIdx.x];
        __syncthreads();
        sum += previous[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
