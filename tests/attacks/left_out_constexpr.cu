//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// A constant function is device code, too.
#include <mpi.h>

constexpr int pitch(int i) { return i * MPI_PITCH; }

__global__ void k(float *cells)
{
    cells[threadIdx.x] = 0;
}
