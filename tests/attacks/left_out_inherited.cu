//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The function is for devices by its declaration in the class.
#include <mpi.h>

struct Cells {
    float *all;
    __device__ void set(int i);
};
void Cells::set(int i)
{
    all[i / 2] = i;
    MPI_Barrier(MPI_COMM_WORLD);
}

__global__ void k(Cells cells)
{
    cells.set(threadIdx.x);
}
