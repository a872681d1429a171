//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the inner class, whose attributes stand before its name, the outer one is found.
#include <mpi.h>

struct Cell { int at; };
namespace inner {
struct __attribute__((packed)) alignas(4) [[maybe_unused]] Cell { MPI_Aint from; int at; };
__global__ void k(Cell *cells)
{
    cells[threadIdx.x].at = 0;
}
}
