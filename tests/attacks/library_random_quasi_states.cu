//pass
//--block-dim=64 --grid-dim=1
// Each thread draws quasirandom numbers with states of its own.

#include <curand_kernel.h>

__global__ void quasi(curandStateSobol32 *a, curandStateScrambledSobol32 *b, curandStateSobol64 *c,
                      curandStateScrambledSobol64 *d, float *out)
{
    int t = threadIdx.x;
    float sum = curand_uniform(&a[t]);
    sum += curand_uniform(&b[t]);
    sum += curand_uniform(&c[t]);
    sum += curand_uniform(&d[t]);
    out[t] = sum;
}
