//pass
//--blockDim=64 --gridDim=16
// The pointer leads into shared memory, which is not global.

__global__ void space_of_pointer(int *out)
{
    __shared__ int tile[64];
    int *here = tile + threadIdx.x;
    *here = threadIdx.x;
    if (__isGlobal(here) || !__isShared(tile)) {
        out[0] = threadIdx.x;
    }
    out[blockIdx.x * 64 + threadIdx.x] = *here;
}
