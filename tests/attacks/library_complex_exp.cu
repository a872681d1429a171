//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// By which formula an exponential is computed is not documented.

#include <thrust/complex.h>

__global__ void exponentials(const float *in, int *out)
{
    int t = threadIdx.x;
    float x = in[2 * t], y = in[2 * t + 1];
    thrust::complex<float> q = thrust::exp(thrust::complex<float>(x, y));
    if (__float_as_int(q.imag()) != __float_as_int(expf(x) * sinf(y))) out[0] = t; //~? race
}
