//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Skipping numbers of a state of its own orders no memory.

#include <curand_kernel.h>

__global__ void exchange(curandStateMRG32k3a *states, const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race numbers
    skipahead(10, &states[t]);
    sum += a[63 - t]; //~ race numbers
    b[t] = value; //~ race sequences
    skipahead_sequence(1, &states[t]);
    sum += b[63 - t]; //~ race sequences
    c[t] = value; //~ race subsequences
    skipahead_subsequence(1, &states[t]);
    sum += c[63 - t]; //~ race subsequences
    d[t] = value; //~ race beginning
    curand_init(7, t, 0, &states[t]);
    sum += d[63 - t]; //~ race beginning
    out[t] = sum;
}
