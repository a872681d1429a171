//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// Another member of the union is written last.
#include <cuda_runtime.h>
#include <cstdlib>

struct Either {
    union {
        int stride;
        short half[2];
    };
    int other;
};

__global__ void rows(Either p, int *out)
{
    out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; //~ race
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    Either p;
    p.stride = 64;
    p.half[0] = argc & 31;
    p.other = 64;
    rows<<<8, 64>>>(p, out);
    return 0;
}
