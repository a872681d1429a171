//pass
//--block-dim=64 --grid-dim=4
// assumes: headers that were not found (mpi.h) have nothing that device code depends on (line 6)
// otherwise verified: --block-dim=64 --grid-dim=4 -D OTHERWISE
#ifndef OTHERWISE
#include <mpi.h>
#endif
#ifndef MPI_PITCH
#define MPI_PITCH 1
#endif
__global__ void missing_headers(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * MPI_PITCH] = i;
}
