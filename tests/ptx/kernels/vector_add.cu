// Vector addition, one element a thread.
// launch: --local_size=256
// defect: each thread adds the sum of its right neighbour, which may not be written yet.
// example: nvcc clang nvrtc11
#include "device.h"

extern "C" __global__ void __launch_bounds__(256)
vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
#ifdef DEFECT
    float next = i + 1 < n ? c[i + 1] : 0.0f; //~ race global
    c[i] = a[i] + b[i] + next;                //~ race global
#else
    c[i] = a[i] + b[i];
#endif
}
