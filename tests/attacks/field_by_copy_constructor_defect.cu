//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// A constructor changes the field in the copy that is passed.
#include <cuda_runtime.h>
#include <cstdlib>

struct Copied {
    int stride;
    explicit Copied(int n) : stride(n) {}
    Copied(const Copied &other) : stride(other.stride / 2) {}
};

__global__ void rows(Copied p, int *out)
{
    out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; //~ race
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    Copied p(64);
    rows<<<8, 64>>>(p, out);
    return 0;
}
