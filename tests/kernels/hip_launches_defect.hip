//xfail:NOT_ALL_VERIFIED
//
// The last thread of a block and the first one of the next have one element.

#include <hip/hip_runtime.h>

template <typename T> __global__ void scale(T *data, T factor, int n)
{
    int i = hipBlockIdx_x * (hipBlockDim_x - 1) + hipThreadIdx_x;
    if (i < n) {
        data[i] *= factor; //~ race
    }
}

void run(double *data, int n)
{
    hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<double>), 32, 64, 0, hipStreamDefault, data, 2.0, n);
    scale<double><<<dim3(32), dim3(64), 0, 0>>>(data, 0.5, n);
}
