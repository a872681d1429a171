//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the overload for the host, which does not compile, the type of the call would be another one.
#include <mpi.h>

template <class T> char size(T);
template <class T> int size(T, MPI_Comm = MPI_COMM_WORLD);
int size(float, MPI_Comm = MPI_COMM_WORLD);

__global__ void k(float *cells)
{
    cells[threadIdx.x * sizeof(size(1.0f))] = threadIdx.x;
}
