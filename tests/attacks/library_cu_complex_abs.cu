//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// By which function the magnitude is computed is not documented.

#include <cuComplex.h>

__global__ void magnitudes(const float *in, int *out)
{
    int t = threadIdx.x;
    float x = in[2 * t], y = in[2 * t + 1];
    float r = cuCabsf(make_cuFloatComplex(x, y));
    if (__float_as_int(r) != __float_as_int(hypotf(x, y))) out[0] = t; //~? race
}
