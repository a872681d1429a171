// racy
// run: --block-dim 64 --grid-dim 1
// Two calls use the same temporary storage, and nothing orders the one before the other.

#include <cub/cub.cuh>

__global__ void library_storage(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    int first = Reduce(storage).Sum(in[t]); //~ race
    int second = Reduce(storage).Sum(2 * in[t]); //~ race
    if (t == 0) out[0] = first + second;
}
