//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The string has a line marker, by which the code behind it would seem to stand in a system header.
#include <mpi.h>

const char *text = R"(
# 1 "header.h" 3
)";

typedef int Index;
namespace inner {
typedef MPI_Aint Index;
__global__ void k(float *cells)
{
    Index i = threadIdx.x;
    cells[i] = i;
}
}
