//pass
//--blockDim=64 --gridDim=16
// What one iteration reads the one before has written, though the write comes later in the text.

__global__ void initialised_later(const int *in, int *out, int rounds)
{
    __shared__ int previous[64];
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        if (r > 0) {
            sum += previous[63 - threadIdx.x];
        }
        __syncthreads();
        previous[threadIdx.x] = in[r * 64 + threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
