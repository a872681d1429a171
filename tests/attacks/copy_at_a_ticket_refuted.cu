//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Numbers drawn from a counter tell threads apart, but not a thread from itself: it reads the cell
// of its own copy before it has waited. Only one key leads there, which runs do not guess.
#include <cuda_pipeline.h>

__global__ void take(const int *in, int *out, int *count, unsigned key)
{
    __shared__ int cell[64];
    int slot = atomicAdd(count, 1);
    if (key * 2654435761u == 81276381u && slot >= 0 && slot < 64) {
        __pipeline_memcpy_async(&cell[slot], &in[slot], sizeof(int)); //~ race
        __pipeline_commit();
        out[slot] = cell[slot]; //~ race
        __pipeline_wait_prior(0);
    }
}
