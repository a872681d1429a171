//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// By the pragma, functions are device code without an attribute.
#include <mpi.h>

#pragma clang force_cuda_host_device begin
inline int place(double i) { return i; }
inline int place(int i) { return MPI_Place(i); }
#pragma clang force_cuda_host_device end

__global__ void k(float *cells)
{
    cells[place(threadIdx.x)] = 0;
}
