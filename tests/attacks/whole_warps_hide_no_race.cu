//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=*
// Blocks of whole warps are assumed, not blocks of one warp: threads of different warps race.

__global__ void sums(const int *in, int *out)
{
    __shared__ int first;
    int sum = __shfl_xor_sync(0xffffffff, in[threadIdx.x], 1);
    if (threadIdx.x % 32 == 0)
        first = sum + threadIdx.x; //~ race
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
