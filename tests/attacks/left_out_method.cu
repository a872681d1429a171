//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A class that devices use loses its function for the host, and nothing else.
#include <mpi.h>

template <class T> struct Layout { enum { PITCH = 2 }; };
template <> struct Layout<float> {
    enum { PITCH = 1 };
    MPI_Datatype type() { return MPI_FLOAT; }
};

__global__ void k(float *cells)
{
    cells[threadIdx.x * Layout<float>::PITCH / 2] = threadIdx.x; //~ race
}
