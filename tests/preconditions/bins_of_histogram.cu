//conditional: within(data, 0, 64)
//--block-dim=64 --grid-dim=*
// contract: n > 0 && within(data, 0, 64)
// Each element of the input is the number of a bin.

__global__ void histogram(unsigned *out, const int *data, int n)
{
    __shared__ unsigned bins[64];
    bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
#ifdef DEFECT
    bins[threadIdx.x / 2] = i;
#endif
}
