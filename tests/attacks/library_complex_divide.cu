//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// By which formula complex numbers are divided is not documented (Thrust scales by the divisor's size first).

#include <thrust/complex.h>

__global__ void divide(const float *in, int *out)
{
    int t = threadIdx.x;
    float x = in[4 * t], y = in[4 * t + 1], u = in[4 * t + 2], v = in[4 * t + 3];
    thrust::complex<float> q = thrust::complex<float>(x, y) / thrust::complex<float>(u, v);
    float real = (x * u + y * v) / (u * u + v * v);
    if (__float_as_int(q.real()) != __float_as_int(real)) out[0] = t; //~? race
}
