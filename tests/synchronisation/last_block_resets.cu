//pass
//--blockDim=64
// The last block sets the counter for the next launch.

__global__ void last_block_resets(const int *in, int *partial, unsigned *count, int *out)
{
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    partial[blockIdx.x * 64 + t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += partial[i * 64 + t];
        out[blockIdx.x * 64 + t] = sum;
        if (t == 0)
            *count = 0;
    }
}
