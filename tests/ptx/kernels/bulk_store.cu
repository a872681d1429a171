// A tile that is computed in shared memory and written back by a bulk copy: the fence makes ordinary
// writes visible to the copy.
// launch: --local_size=128
// defect: the fence between the writes and the copy is missing.
// arch: 90
// skip: nvrtc11
// example: nvcc
#include "instructions.h"

extern "C" __global__ void __launch_bounds__(128) bulk_store(const float *in, float *out, int rounds)
{
    __shared__ __attribute__((aligned(128))) float tile[128];
    unsigned t = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        long long first = ((long long)blockIdx.x * rounds + k) * 128;
        tile[t] = in[first + t] * 2.0f; //~ race shared
#ifndef DEFECT
        fence_proxy();
#endif
        __syncthreads();
        if (t == 0) {
            copy_bulk_back(out + first, tile, 512); //~ race shared
            commit_bulk_copies();
            wait_bulk_copies_read<0>();
        }
        __syncthreads();
    }
}
