//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw orders no memory.

#include <curand_kernel.h>

__global__ void exchange(curandState *states, const int *in, curandDiscreteDistribution_t distribution, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race normal
    curand_normal(&states[t]);
    sum += a[63 - t]; //~ race normal
    b[t] = value; //~ race log_normal
    curand_log_normal(&states[t], 0.0f, 1.0f);
    sum += b[63 - t]; //~ race log_normal
    c[t] = value; //~ race poisson
    curand_poisson(&states[t], 3.0);
    sum += c[63 - t]; //~ race poisson
    d[t] = value; //~ race discrete
    curand_discrete(&states[t], distribution);
    sum += d[63 - t]; //~ race discrete
    out[t] = sum;
}
