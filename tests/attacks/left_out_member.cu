//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the member, the one that the kernel accesses would lie elsewhere.
#include <mpi.h>

struct Cell {
    MPI_Datatype type;
    float value;
};

__global__ void k(Cell *cells)
{
    cells[threadIdx.x].value = threadIdx.x;
}
