//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The function is for devices by the declaration of its template.
#include <mpi.h>

template <class T> __device__ void set(T *cells, int i) { cells[i] = i; }
template <> void set<float>(float *cells, int i)
{
    cells[i / 2] = i;
    MPI_Barrier(MPI_COMM_WORLD);
}

__global__ void k(float *cells)
{
    set(cells, threadIdx.x);
}
