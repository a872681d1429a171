// An assertion and a message, which call functions of the system.
// launch: --local_size=64
// only: nvcc
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void calls_of_the_system(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(in[0] >= 0);
    if (i < n) {
        out[i] = in[i] * 2;
        if (in[i] > 1000) {
            printf("element %d is %d\n", i, in[i]);
        }
    }
}
