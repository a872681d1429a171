//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The counter wraps before the last block has counted.

__global__ void last_block_resets(const int *in, int *partial, unsigned *count, int *out)
{
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    partial[blockIdx.x * 64 + t] = in[blockIdx.x * 64 + t]; //~ race
    __syncthreads();
    if (t == 0) {
        __threadfence();
        is_last = atomicInc(count, gridDim.x / 2) == gridDim.x / 2;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += partial[i * 64 + t]; //~ race
        out[blockIdx.x * 64 + t] = sum;
        if (t == 0)
            *count = 0;
    }
}
