// Vectors of four floats and of two halves; each thread exchanges with the one opposite.
// launch: --local_size=128
// defect: a thread writes the vector beside its own, which another thread reads.
// only: nvcc
// arch: 80 100
#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128) vectors(float4 *data, const __half2 *scales)
{
    __shared__ __half2 cells[128];
    unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
    float4 v = data[i];
    cells[t] = __hmul2(scales[i], __floats2half2_rn(v.x, v.y));
    __syncthreads();
    float2 other = __half22float2(__hfma2(cells[127 - t], scales[i], cells[t]));
#ifdef DEFECT
    float w = data[i].w;                                 //~ race global
    data[i ^ 1] = make_float4(other.x, other.y, v.z, w); //~ race global
#else
    data[i] = make_float4(other.x, other.y, v.z, v.w);
#endif
}
