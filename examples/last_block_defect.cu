//xfail:NOT_ALL_VERIFIED
//--local_size=256 --num_groups=64
// As last_block.cu, without the fence before the counter: the last block may count a block whose sum
// has not arrived.

__device__ unsigned finished = 0;

__device__ float sum_of_block(float *sums, float sum)
{
    unsigned t = threadIdx.x;
    sums[t] = sum;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            sums[t] += sums[t + stride];
        __syncthreads();
    }
    return sums[0];
}

__global__ void last_block(const float *in, float *partial, float *out, unsigned n)
{
    __shared__ float sums[256];
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    float sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = sum_of_block(sums, sum);
    if (t == 0) {
        partial[blockIdx.x] = sum; //~ race
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        sum = 0;
        for (unsigned i = t; i < gridDim.x; i += blockDim.x)
            sum += partial[i]; //~ race
        sum = sum_of_block(sums, sum);
        if (t == 0)
            atomicExch(out, sum);
    }
}
