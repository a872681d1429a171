//xfail:NOT_ALL_VERIFIED
//
// The launch that can be seen has one block. Another one stands in a function that does not compile.
#include <mpi.h>

__global__ void k(float *cells)
{
    cells[threadIdx.x] = blockIdx.x; //~ race
}

void seen(float *cells)
{
    k<<<1, 64>>>(cells);
}

void unseen(MPI_Comm all, float *cells)
{
    k<<<2, 64>>>(cells);
}
