//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=8
// Two threads of each block add, each at a place of its own, so half of the blocks suffice.

__global__ void grid_two_additions(unsigned *count, int *data, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    data[i] = 1; //~ race
    __syncthreads();
    if (threadIdx.x < 2) {
        __threadfence();
        if (threadIdx.x == 0)
            atomicAdd(count, 1);
        else
            atomicAdd_system(count, 1);
        while (atomicAdd(count, 0) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = data[gridDim.x * 64 - 1 - i]; //~ race
}
