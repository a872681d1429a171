//unknown
//--block-dim=32 --grid-dim=1
// Matrices of other precisions are refused.

#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const float *a, int *out)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
    typedef wmma::precision::u4 Unsigned;
    typedef wmma::precision::s4 Signed;
    typedef wmma::precision::b1 Bit;
    Unsigned *first = nullptr;
    Signed *second = nullptr;
    Bit *third = nullptr;
    wmma::load_matrix_sync(left, a, 16); //~ unsupported
    out[threadIdx.x] = (void *)first == (void *)second && (void *)second == (void *)third;
}
