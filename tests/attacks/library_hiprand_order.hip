//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw by hipRAND orders no memory.

#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>

__global__ void exchange(hiprandState *states, const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race bits
    hiprand(&states[t]);
    sum += a[63 - t]; //~ race bits
    b[t] = value; //~ race uniform
    hiprand_uniform(&states[t]);
    sum += b[63 - t]; //~ race uniform
    c[t] = value; //~ race log_normal
    hiprand_log_normal(&states[t], 0.0f, 1.0f);
    sum += c[63 - t]; //~ race log_normal
    d[t] = value; //~ race poisson
    hiprand_poisson(&states[t], 3.0);
    sum += d[63 - t]; //~ race poisson
    out[t] = sum;
}
