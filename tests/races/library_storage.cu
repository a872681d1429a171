// race-free
// run: --block-dim 64 --grid-dim 1
// Temporary storage is used again behind a barrier.

#include <cub/cub.cuh>

__global__ void library_storage(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    int first = Reduce(storage).Sum(in[t]);
    __syncthreads();
    int second = Reduce(storage).Sum(2 * in[t]);
    if (t == 0) out[0] = first + second;
}
