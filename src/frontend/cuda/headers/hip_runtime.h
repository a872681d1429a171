/* HIP: CUDA's language and runtime under other names. */
#ifndef LOCKSTEP_HIP_RUNTIME
#define LOCKSTEP_HIP_RUNTIME
#pragma clang system_header
#include "lockstep/hip_names.h"

#undef __CUDACC__
#undef __NVCC__
#undef __CUDA_ARCH__
#define __HIP__ 1
#define __HIPCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#define __HIP_ARCH_HAS_WARP_VOTE__ 1
#define __AMDGCN_WAVEFRONT_SIZE __LOCKSTEP_WARP_SIZE
#define __AMDGCN_WAVEFRONT_SIZE__ __LOCKSTEP_WARP_SIZE
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION 60000000
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
#define HIP_LAUNCH_PARAM_END ((void *)3)

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)                                                 \
    do {                                                                                                             \
        kernel<<<dim3(grid), dim3(block), shared, stream>>>(__VA_ARGS__);                                            \
    } while (0)
struct hipDeviceProp_t : cudaDeviceProp {
    char gcnArchName[256];
    int gcnArch, cooperativeMultiDeviceUnmatchedFunc, isLargeBar, asicRevision;
    size_t maxSharedMemoryPerMultiProcessor;
    unsigned int clockInstructionRate;
};
typedef hipDeviceProp_t hipDeviceProp_tR0600;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
extern "C" cudaError_t hipInit(...), hipDeviceGet(...), hipDeviceGetName(...), hipDeviceTotalMem(...),
    hipDeviceGetUuid(...), hipDeviceComputeCapability(...), hipCtxCreate(...), hipCtxDestroy(...),
    hipCtxSetCurrent(...), hipCtxGetCurrent(...), hipCtxSynchronize(...), hipModuleLoad(...), hipModuleLoadData(...),
    hipModuleLoadDataEx(...), hipModuleUnload(...),
    hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name), hipModuleGetGlobal(...),
    hipModuleLaunchKernel(...), hipMemcpyHtoD(...), hipMemcpyDtoH(...), hipMemcpyDtoD(...), hipMemcpyHtoDAsync(...),
    hipMemcpyDtoHAsync(...), hipMemcpyDtoDAsync(...), hipMemcpyWithStream(...), hipMemsetD8(...), hipMemsetD32(...),
    hipMemGetAddressRange(...), hipMemPtrGetInfo(...), hipExtStreamCreateWithCUMask(...),
    hipModuleOccupancyMaxPotentialBlockSize(...), hipFuncGetAttribute(...), hipStreamGetDevice(...);

__LOCKSTEP_INLINE unsigned int __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
__LOCKSTEP_INLINE unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }
__LOCKSTEP_INLINE unsigned long long __lanemask_lt() { return __lanemask_eq() - 1; }
__LOCKSTEP_INLINE unsigned long long __lanemask_le() { return __lanemask_lt() | __lanemask_eq(); }
__LOCKSTEP_INLINE unsigned long long __lanemask_gt() { return ~__lanemask_le(); }
__LOCKSTEP_INLINE unsigned long long __lanemask_ge() { return ~__lanemask_lt(); }
__LOCKSTEP_INLINE unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
__LOCKSTEP_INLINE long long wall_clock64() { return clock64(); }
template <class T> __LOCKSTEP_INLINE T unsafeAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <class T> __LOCKSTEP_INLINE T safeAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <class T> __LOCKSTEP_INLINE void atomicAddNoRet(T *address, T value) { atomicAdd(address, value); }

/* Arithmetic on vectors, lane by lane. */
#define __LOCKSTEP_2(OP, a, b) {a.x OP b.x, a.y OP b.y}
#define __LOCKSTEP_3(OP, a, b) {a.x OP b.x, a.y OP b.y, a.z OP b.z}
#define __LOCKSTEP_4(OP, a, b) {a.x OP b.x, a.y OP b.y, a.z OP b.z, a.w OP b.w}
#define __LOCKSTEP_FILLED2(number) {number, number}
#define __LOCKSTEP_FILLED3(number) {number, number, number}
#define __LOCKSTEP_FILLED4(number) {number, number, number, number}
#define __LOCKSTEP_OPERATOR(T, N, OP)                                                                                \
    __LOCKSTEP_BOTH T##N operator OP(T##N a, T##N b) { return __LOCKSTEP_##N(OP, a, b); }                            \
    __LOCKSTEP_BOTH T##N operator OP(T##N a, T number) {                                                             \
        T##N b = __LOCKSTEP_FILLED##N(number);                                                                       \
        return __LOCKSTEP_##N(OP, a, b);                                                                             \
    }                                                                                                                \
    __LOCKSTEP_BOTH T##N operator OP(T number, T##N b) {                                                             \
        T##N a = __LOCKSTEP_FILLED##N(number);                                                                       \
        return __LOCKSTEP_##N(OP, a, b);                                                                             \
    }                                                                                                                \
    __LOCKSTEP_BOTH T##N &operator OP##=(T##N &a, T##N b) { return a = a OP b; }                                     \
    __LOCKSTEP_BOTH T##N &operator OP##=(T##N &a, T number) { return a = a OP number; }
#define __LOCKSTEP_ARITHMETIC(T, N)                                                                                  \
    __LOCKSTEP_OPERATOR(T, N, +)                                                                                     \
    __LOCKSTEP_OPERATOR(T, N, -)                                                                                     \
    __LOCKSTEP_OPERATOR(T, N, *)                                                                                     \
    __LOCKSTEP_OPERATOR(T, N, /)
#define __LOCKSTEP_ARITHMETICS(T)                                                                                    \
    __LOCKSTEP_ARITHMETIC(T, 2)                                                                                      \
    __LOCKSTEP_ARITHMETIC(T, 3)                                                                                      \
    __LOCKSTEP_ARITHMETIC(T, 4)
__LOCKSTEP_ARITHMETICS(float)
__LOCKSTEP_ARITHMETICS(double)
__LOCKSTEP_ARITHMETICS(int)
__LOCKSTEP_ARITHMETICS(uint)
#undef __LOCKSTEP_2
#undef __LOCKSTEP_3
#undef __LOCKSTEP_4

/* It keeps the compiler from moving instructions, and orders no accesses. */
__LOCKSTEP_INLINE void __builtin_amdgcn_wave_barrier() {}

#endif
