//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The error stands in device code inside of a function for the host.
#include <mpi.h>

template <class F> __global__ void apply(F f) { f(threadIdx.x); }
__global__ void k(float *cells) { cells[threadIdx.x] = 0; }

void run(float *cells)
{
    apply<<<1, 64>>>([=] __device__(int i) { cells[i / 2] = i; cells[i] = MPI_RANK; });
}
