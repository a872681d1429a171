//pass
//--block-dim=64 --grid-dim=1
// A complex number has the parts that it is made of, and its conjugate the real one.

#include <thrust/complex.h>

__global__ void parts(float *out)
{
    int t = threadIdx.x;
    thrust::complex<float> z(t, 1.0f);
    z.imag(2.0f);
    if (__float_as_int(z.imag()) != __float_as_int(2.0f)) out[0] = t;
    thrust::complex<float> w = thrust::conj(z);
    if (__float_as_int(w.real()) != __float_as_int(z.real())) out[1] = t;
    out[64 + t] = w.imag();
}
