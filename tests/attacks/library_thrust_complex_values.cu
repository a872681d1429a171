//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nothing is known of what is computed with complex numbers.

#include <thrust/complex.h>

__global__ void values(const float *in, float *out)
{
    int t = threadIdx.x;
    thrust::complex<float> z(in[2 * t], in[2 * t + 1]);
    if (thrust::abs(z) > 9) out[0] = t; //~ race magnitude
    if (thrust::arg(z) > 3) out[1] = t; //~ race angle
    if (thrust::exp(z).real() > 9) out[2] = t; //~ race exponential
    if (thrust::polar(z.real(), z.imag()).imag() > 9) out[3] = t; //~ race polar
}
