//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// A bit-field has no value of its own, and shares its bytes with others.
#include <cuda_runtime.h>
#include <cstdlib>

struct Bits {
    unsigned stride : 5, rest : 27;
    int other;
};

__global__ void rows(Bits p, int *out)
{
    out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; //~ race
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    Bits p = {31, 100, 64};
    rows<<<8, 64>>>(p, out);
    return 0;
}
