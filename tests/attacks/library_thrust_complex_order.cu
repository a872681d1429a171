//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A function of complex numbers orders no memory.

#include <thrust/complex.h>

__global__ void exchange(const int *in, thrust::complex<float> *numbers, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race norm
    numbers[t] = thrust::norm(numbers[t]);
    sum += a[63 - t]; //~ race norm
    b[t] = value; //~ race abs
    numbers[t] = thrust::abs(numbers[t]);
    sum += b[63 - t]; //~ race abs
    c[t] = value; //~ race conj
    numbers[t] = thrust::conj(numbers[t]);
    sum += c[63 - t]; //~ race conj
    d[t] = value; //~ race polar
    numbers[t] = thrust::polar(1.0f, 2.0f);
    sum += d[63 - t]; //~ race polar
    out[t] = sum;
}
