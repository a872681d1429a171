//xfail:NOT_ALL_VERIFIED
//
// Nobody waits before the block is read in reverse.

#include <hip/hip_runtime.h>

__global__ void dynamic_shared(float *data)
{
    HIP_DYNAMIC_SHARED(float, tile)
    float *block = data + hipBlockIdx_x * hipBlockDim_x;
    tile[hipThreadIdx_x] = block[hipThreadIdx_x]; //~ race
    block[hipThreadIdx_x] = tile[hipBlockDim_x - 1 - hipThreadIdx_x]; //~ race
}

int main()
{
    float *data;
    if (hipMalloc((void **)&data, 64 * 128 * sizeof(float)) != hipSuccess) return 1;
    hipStream_t stream;
    hipStreamCreate(&stream);
    hipLaunchKernelGGL(dynamic_shared, dim3(64), dim3(128), 128 * sizeof(float), stream, data);
    hipStreamSynchronize(stream);
    hipFree(data);
}
