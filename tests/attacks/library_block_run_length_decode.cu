//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// There is no model of it, so that it does not compile.

#include <cub/cub.cuh>

__global__ void sort(const int *in, int *out)
{
    typedef cub::BlockRunLengthDecode<int, 64, 1, 1> Collective;
    __shared__ Collective::TempStorage storage;
    int keys[1] = {in[threadIdx.x]};
    Collective(storage).Sort(keys, keys);
    out[threadIdx.x] = keys[0];
}
