//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The last block is told without a fence: what the others wrote it may not see.

__global__ void sum(const int *in, int *sums, unsigned *done, int *total)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = in[blockIdx.x]; //~ race
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned i = 0; i < gridDim.x; i++) {
            all += sums[i]; //~ race
        }
        *total = all;
    }
}
