//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// Without the function that does not compile, the kernel that its lambda makes would be missing.
#include <mpi.h>

template <class F> __global__ void apply(F f) { f(threadIdx.x); }
__global__ void k(float *cells) { cells[threadIdx.x] = 0; }

void run(float *cells)
{
    MPI_Barrier(MPI_COMM_WORLD);
    apply<<<1, 64>>>([=] __device__(int i) { cells[i / 2] = i; });
}
