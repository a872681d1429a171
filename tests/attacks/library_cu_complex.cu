//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nothing is known of the values of complex numbers and of numbers with few bits.

#include <cuComplex.h>
#include <cuda_bf16.h>

__global__ void values(const cuComplex *in, const cuDoubleComplex *more, const __nv_bfloat16 *small, int *out)
{
    int t = threadIdx.x;
    if (cuCrealf(cuCmulf(in[t], in[t])) > 9) out[0] = t; //~ race single
    if (cuCreal(cuCadd(more[t], more[t])) > 9) out[1] = t; //~ race double
    if (__bfloat162float(small[t]) > 9) out[2] = t; //~ race half
}
