//unknown
//--block-dim=32 --grid-dim=1
// A store by a warp is refused too, where its numbers are not loaded but computed.

#include <mma.h>

using namespace nvcuda;

__global__ void store(float *c)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    for (int element = 0; element < sum.num_elements; ++element) sum.x[element] = 1;
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major); //~ unsupported
    c[threadIdx.x] = 2;
}
