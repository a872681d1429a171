//pass
//--local_size=64 --num_groups=16
// open sizes too
// A tree reduction for any block size: the stride starts at half of it and is shifted down. The
// shared array is sized by the launch, so the source does not say how large a block is.

__global__ void reduce_halving(const int *in, int *out)
{
    extern __shared__ int data[];
    unsigned t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) {
            data[t] += data[t + s];
        }
        __syncthreads();
    }

    if (t == 0) {
        out[blockIdx.x] = data[0];
    }
}
