//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The pointer leads into shared memory, and so all threads write the same cell.

__global__ void space_of_pointer(int *out)
{
    __shared__ int tile[64];
    int *here = tile + threadIdx.x;
    *here = threadIdx.x;
    if (!__isGlobal(here) && __isShared(tile)) {
        out[0] = *here; //~ race
    }
}
