//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=16
// The counters start with whatever was there before.

__global__ void initialised_counters(const unsigned char *in, unsigned *out)
{
    __shared__ unsigned counters[256];
    atomicAdd(&counters[in[blockIdx.x * 128 + threadIdx.x]], 1); //~ uninitialised-read
    __syncthreads();
    atomicAdd(&out[threadIdx.x], counters[threadIdx.x] + counters[threadIdx.x + 128]);
}
