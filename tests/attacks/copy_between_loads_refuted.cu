//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Between the two loads of a cell it is copied to, so that they may differ: then two threads write
// to the first element.
#include <cuda_pipeline.h>

__global__ void twice(const int *in, int *out)
{
    __shared__ int cell[64];
    unsigned t = threadIdx.x;
    cell[t] = 1;
    int before = cell[t];
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (cell[t] != before) {
        out[0] = t; //~ race
    }
}
