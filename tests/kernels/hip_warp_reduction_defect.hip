//xfail:NOT_ALL_VERIFIED
//
// Ported from CUDA by half: two lanes of a warp of 64 are its first.

#include <hip/hip_runtime.h>

#define THREADS 256

__global__ void warp_reduction(const int *in, int *out)
{
    __shared__ int partial[THREADS / warpSize];
    int sum = in[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x];
    for (int distance = warpSize / 2; distance > 0; distance /= 2) {
        sum += __shfl_down(sum, distance);
    }
    if (hipThreadIdx_x % 32 == 0) {
        partial[hipThreadIdx_x / warpSize] = sum; //~ race
    }
    __syncthreads();
    if (hipThreadIdx_x == 0) {
        for (int warp = 1; warp < THREADS / warpSize; ++warp) {
            sum += partial[warp];
        }
        out[hipBlockIdx_x] = sum;
    }
}

int main()
{
    int *in, *out;
    hipMalloc(&in, 16 * THREADS * sizeof(int));
    hipMalloc(&out, 16 * sizeof(int));
    hipLaunchKernelGGL(warp_reduction, dim3(16), dim3(THREADS), 0, 0, in, out);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
