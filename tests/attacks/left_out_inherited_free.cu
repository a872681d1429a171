//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The function is for devices by its first declaration.
#include <mpi.h>

__host__ __device__ void set(float *cells, int i);
void set(float *cells, int i)
{
    cells[i / 2] = i;
    MPI_Barrier(MPI_COMM_WORLD);
}

__global__ void k(float *cells)
{
    set(cells, threadIdx.x);
}
