//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// A function for the host and for devices does not compile: it is device code.
#include <mpi.h>
#define EVERYWHERE __host__ __device__

EVERYWHERE inline int rank(int i)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &i);
    return i;
}

__global__ void k(float *cells)
{
    cells[threadIdx.x] = 0;
}
