// HIP's names.
#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hipcub/hipcub.hpp>
#include <hiprand/hiprand_kernel.h>
#include <iostream>
#include <vector>
#ifdef __CUDACC__
#error "this is HIP"
#endif

#define HIP_CHECK(call)                                                                                              \
    {                                                                                                                \
        hipError_t error = call;                                                                                     \
        if (error != hipSuccess) std::cerr << hipGetErrorString(error);                                              \
    }

template <typename T> __global__ void add(T *a, const T *b, int n) {
    int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
    if (i < n) a[i] = a[i] + b[i];
}

__global__ __launch_bounds__(256) void kernel(float4 *a, float *b, __half *h, hiprandState *states) {
    HIP_DYNAMIC_SHARED(float, shared);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = a[i] * 2.0f + a[i];
    b[i] = __shfl_down(b[i], 4) + __shfl_xor(b[i], 1, 32) + __popcll(__ballot(b[i] > 0)) + hiprand_uniform(&states[i]);
    h[i] = __float2half(b[i]);
    shared[threadIdx.x] = hipCabsf(make_hipFloatComplex(1, 2));
    __syncthreads();
    b[i] += shared[0];
}

__global__ void reduce(int *in, int *out) {
    typedef hipcub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int sum = Reduce(storage).Sum(in[blockIdx.x * 64 + threadIdx.x]);
    __builtin_amdgcn_wave_barrier();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
    float *a, *b;
    HIP_CHECK(hipMalloc(&a, 100));
    HIP_CHECK(hipMalloc((void **)&b, 100));
    HIP_CHECK(hipMemcpy(a, b, 10, hipMemcpyHostToDevice));
    hipLaunchKernelGGL(HIP_KERNEL_NAME(add<float>), dim3(1), dim3(2), 0, 0, a, b, 10);
    hipLaunchKernelGGL((add<float>), 1, 2, 0, hipStreamDefault, a, b, 10);
    add<<<1, 2>>>(a, b, 3);
    hipDeviceProp_t properties;
    HIP_CHECK(hipGetDeviceProperties(&properties, 0));
    std::cout << properties.name << properties.gcnArchName;
    hipEvent_t event;
    HIP_CHECK(hipEventCreate(&event));
    HIP_CHECK(hipHostMalloc(&a, 10, hipHostMallocDefault));
    int value;
    HIP_CHECK(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
    hipModule_t module;
    HIP_CHECK(hipModuleLoad(&module, "kernel.co"));
    void *arguments[] = {&a};
    HIP_CHECK(hipLaunchKernel((const void *)reduce, dim3(1), dim3(1), arguments, 0, 0));
    HIP_CHECK(hipDeviceSynchronize());
}
