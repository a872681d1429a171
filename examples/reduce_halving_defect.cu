//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_halving.cu, but the barrier has moved into the conditional: only the threads that
// add something reach it, and wait for the others for ever.

__global__ void reduce_halving(const int *in, int *out)
{
    extern __shared__ int data[];
    unsigned t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) {
            data[t] += data[t + s];
            __syncthreads(); //~ barrier-divergence
        }
    }

    if (t == 0) {
        out[blockIdx.x] = data[0];
    }
}
