//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As activemask_defect.cu of the examples. No run shows it here: lanes of a wavefront come to a place together.

#include <hip/hip_runtime.h>

__global__ void larger_of_pair(const int *in, int *out, int limit)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    bool in_range = in[gid ^ 1] < limit && in[gid] < limit;
    if (in_range) {
        cells[t] = in[gid]; //~? race
        if (__activemask() == 1ull << t) {
            out[gid] = cells[t ^ 1]; //~? race
        }
    }
}
