//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the specialisation, which does not compile, the kernel would use the variable's template.
#include <mpi.h>

template <class T> const int PITCH = 1;
template <> const int PITCH<float> = MPI_PITCH;

__global__ void k(float *cells)
{
    cells[threadIdx.x * PITCH<float>] = threadIdx.x;
}
