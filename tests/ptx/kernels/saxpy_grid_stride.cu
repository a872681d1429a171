// Saxpy by a grid-stride loop.
// launch: --local_size=128
// defect: the stride is one short, so that the last thread's elements are the first thread's next.
// example: clang nvrtc
#include "device.h"

extern "C" __global__ void saxpy_grid_stride(unsigned n, float a, const float *x, float *y)
{
    unsigned stride = gridDim.x * blockDim.x;
#ifdef DEFECT
    stride -= 1;
#endif
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i]; //~ race global
    }
}
