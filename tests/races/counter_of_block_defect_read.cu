// racy
// run: --block-dim 64 --grid-dim 2
// No barrier stands between the atomic operations and the plain loads.

__global__ void counter_of_block(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    atomicAdd(&count, 1); //~ race
    out[blockIdx.x * 64 + threadIdx.x] = count; //~ race
}
