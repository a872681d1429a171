//unknown
//--block-dim=2 --grid-dim=1 --without concrete-search --without unrolling
// In which order floats are added up nobody says: the sum need not be the one that a thread gets that adds them itself.

#include <cub/cub.cuh>

__global__ void sums(const float *in, int *out)
{
    typedef cub::BlockReduce<float, 2> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    float sum = Reduce(storage).Sum(in[t]);
    if (t == 0 && sum != in[0] + in[1]) out[1] = 1;
    if (t == 1) out[1] = 2;
}
