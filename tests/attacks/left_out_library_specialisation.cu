//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the specialisation, which does not compile, the library's iterator would be another one.
#include <iterator>
#include <mpi.h>

struct Place {
    typedef int value_type;
    int at;
};
template <> struct std::iterator_traits<Place> {
    typedef int difference_type;
    MPI_Aint distance;
};

__global__ void k(float *cells)
{
    cells[threadIdx.x] = 0;
}
