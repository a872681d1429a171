//unknown
//--block-dim=64 --grid-dim=1
// A histogram by a block is refused.

#include <cub/cub.cuh>

__global__ void count(const unsigned char *in, unsigned int *out)
{
    typedef cub::BlockHistogram<unsigned char, 64, 1, 256> Count;
    __shared__ Count::TempStorage storage;
    __shared__ unsigned int bins[256];
    unsigned char items[1] = {in[threadIdx.x]};
    Count(storage).Histogram(items, bins); //~ unsupported
    out[threadIdx.x] = bins[threadIdx.x];
}
