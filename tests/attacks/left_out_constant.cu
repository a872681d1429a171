//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the inner constant, which does not compile, the outer one is found.
#include <mpi.h>

const int PITCH = 1;
namespace inner {
const int PITCH = MPI_PITCH;
__global__ void k(float *cells)
{
    cells[threadIdx.x * PITCH] = threadIdx.x;
}
}
