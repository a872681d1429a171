//pass
//--block-dim=128 --grid-dim=8
// CUB's sum over a block, twice with the same scratch memory: a barrier between the two.
#include <cub/block/block_reduce.cuh>

__global__ void sums(const int *in, int *out) {
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ Reduce::TempStorage scratch;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = Reduce(scratch).Sum(in[i]);
    __syncthreads();
    int second = Reduce(scratch).Sum(in[i] / 2);
    if (threadIdx.x == 0) out[blockIdx.x] = first - second;
}
