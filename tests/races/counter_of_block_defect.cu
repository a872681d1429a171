// racy
// run: --block-dim 64 --grid-dim 2
// No barrier stands between the plain store that initialises and the atomic operations.

__global__ void counter_of_block(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0) {
        count = 0; //~ race
    }
    atomicAdd(&count, 1); //~ race
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = count;
}
