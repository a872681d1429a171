//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// The kernel changes its copy of the field that the host gives.
#include <cuda_runtime.h>
#include <cstdlib>

struct Params {
    int stride, other;
};

__global__ void rows(Params p, int *out)
{
    p.stride &= 31;
    out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; //~ race
}

int main()
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    rows<<<8, 64>>>(Params{64, 64}, out);
    return 0;
}
