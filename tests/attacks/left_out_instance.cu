//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Only a statement that does not compile makes an instance: no kernel is left, which is no success.
#include <mpi.h>

template <class T> __global__ void k(T *cells)
{
    cells[threadIdx.x / 2] = threadIdx.x;
}

void run(float *cells)
{
    int size = MPI_Size(k<float><<<1, 64>>>(cells));
}
