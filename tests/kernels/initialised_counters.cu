//pass
//--blockDim=128 --gridDim=16
// A histogram whose counters start at zero.

__global__ void initialised_counters(const unsigned char *in, unsigned *out)
{
    __shared__ unsigned counters[256];
    for (int i = threadIdx.x; i < 256; i += 128) {
        counters[i] = 0;
    }
    __syncthreads();
    atomicAdd(&counters[in[blockIdx.x * 128 + threadIdx.x]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], counters[threadIdx.x] + counters[threadIdx.x + 128]);
}
