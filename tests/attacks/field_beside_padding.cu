//pass
//--without=preconditions
// Numbers of several widths, with padding between them, share registers.
#include <cuda_runtime.h>
#include <cstdlib>

struct Mixed {
    char flag;
    short rows;
    float scale;
    int stride;
};

__global__ void rows(Mixed p, int *out) { out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; }

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    Mixed p = {1, 2, 3.0f, 64};
    rows<<<8, 64>>>(p, out);
    return 0;
}
