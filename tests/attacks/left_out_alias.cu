//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the inner alias, which does not compile, the outer one is found: the index would have 32 bits.
#include <mpi.h>

typedef int Index;
namespace inner {
typedef MPI_Aint Index;
__global__ void k(float *cells)
{
    Index i = threadIdx.x;
    cells[i] = i;
}
}
