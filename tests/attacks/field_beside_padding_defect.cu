//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// As field_beside_padding.cu, but it is another field that is large enough.
#include <cuda_runtime.h>
#include <cstdlib>

struct Mixed {
    char flag;
    short rows;
    float scale;
    int stride;
};

__global__ void rows(Mixed p, int *out)
{
    out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; //~ race
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    Mixed p = {64, 64, 64.0f, 63};
    rows<<<8, 64>>>(p, out);
    return 0;
}
