//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the inner class, which does not compile, the outer one is the base.
#include <mpi.h>

struct Base { static const int PITCH = 1; };
namespace inner {
struct Base { static const int PITCH = 0; MPI_Comm all; };
struct Derived : Base {};
__global__ void k(float *cells)
{
    cells[threadIdx.x * Derived::PITCH] = threadIdx.x;
}
}
