//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Two threads draw quasirandom numbers with one state.

#include <curand_kernel.h>

__global__ void draw(curandStateScrambledSobol64 *a, curandStateScrambledSobol64 *b)
{
    int t = threadIdx.x;
    curand_uniform(&a[t / 2]); //~ race plain
    skipahead(3, &b[t / 2]); //~ race skipped
}
