//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the specialisation, which does not compile, the kernel would be another one.
#include <mpi.h>

template <class T> struct Layout { enum { PITCH = 2 }; };
template <> struct Layout<float> {
    enum { PITCH = 1 };
    MPI_Datatype type() { return MPI_FLOAT; }
    MPI_Datatype kept;
};

__global__ void k(float *cells)
{
    cells[threadIdx.x * Layout<float>::PITCH / 2] = threadIdx.x;
    cells[threadIdx.x * Layout<float>::PITCH] = threadIdx.x;
}
