//unknown
//--block-dim=64 --grid-dim=1 --without concrete-search --without unrolling
// What other threads get may be any number: one more than their own, too. (In a run it is another one, so only a proof would notice.)

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    int n = in[t];
    int r = Reduce(storage).Sum(n);
    if (t != 0 && r == n + 1) out[0] = t;
}
