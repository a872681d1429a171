//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of several numbers orders no memory.

#include <curand_kernel.h>

__global__ void exchange(curandStatePhilox4_32_10 *states, const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race bits
    curand4(&states[t]);
    sum += a[63 - t]; //~ race bits
    b[t] = value; //~ race normal
    curand_normal4(&states[t]);
    sum += b[63 - t]; //~ race normal
    c[t] = value; //~ race log_normal
    curand_log_normal2(&states[t], 0.0f, 1.0f);
    sum += c[63 - t]; //~ race log_normal
    d[t] = value; //~ race poisson
    curand_poisson4(&states[t], 3.0);
    sum += d[63 - t]; //~ race poisson
    out[t] = sum;
}
