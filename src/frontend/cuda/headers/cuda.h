/* The driver's functions for the host, declared only; most take any arguments. */
#ifndef LOCKSTEP_CUDA
#define LOCKSTEP_CUDA
#pragma clang system_header
/* By this sources see whether the driver's header has been included. */
#define __cuda_cuda_h__

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NOT_INITIALIZED,
    CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_NO_DEVICE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_IMAGE,
    CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_MAP_FAILED, CUDA_ERROR_UNMAP_FAILED, CUDA_ERROR_NO_BINARY_FOR_GPU,
    CUDA_ERROR_INVALID_PTX, CUDA_ERROR_INVALID_SOURCE, CUDA_ERROR_FILE_NOT_FOUND, CUDA_ERROR_INVALID_HANDLE,
    CUDA_ERROR_NOT_FOUND, CUDA_ERROR_NOT_READY, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
    CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_NOT_PERMITTED, CUDA_ERROR_NOT_SUPPORTED,
    CUDA_ERROR_ASSERT, CUDA_ERROR_UNKNOWN
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUarray_st *CUarray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE, CU_DEVICE_ATTRIBUTE_MAX_PITCH, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
    CU_DEVICE_ATTRIBUTE_INTEGRATED, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_MAX
} CUdevice_attribute;
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_PTX_VERSION,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
} CUfunction_attribute;
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_TARGET_FROM_CUCONTEXT, CU_JIT_TARGET, CU_JIT_FALLBACK_STRATEGY,
    CU_JIT_GENERATE_DEBUG_INFO, CU_JIT_LOG_VERBOSE, CU_JIT_GENERATE_LINE_INFO, CU_JIT_CACHE_MODE
} CUjit_option;
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN, CU_JIT_INPUT_PTX, CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_OBJECT, CU_JIT_INPUT_LIBRARY
} CUjitInputType;
enum {
    CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_BLOCKING_SYNC = 4, CU_CTX_MAP_HOST = 8, CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2, CU_MEMHOSTALLOC_PORTABLE = 1,
    CU_MEMHOSTALLOC_DEVICEMAP = 2, CU_MEM_ATTACH_GLOBAL = 1
};
typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 1, CU_AD_FORMAT_UNSIGNED_INT16 = 2, CU_AD_FORMAT_UNSIGNED_INT32 = 3,
    CU_AD_FORMAT_SIGNED_INT8 = 8, CU_AD_FORMAT_SIGNED_INT16 = 9, CU_AD_FORMAT_SIGNED_INT32 = 10,
    CU_AD_FORMAT_HALF = 16, CU_AD_FORMAT_FLOAT = 32
} CUarray_format;
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width, Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_ARRAY, CU_MEMORYTYPE_UNIFIED
} CUmemorytype;
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch, dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch, WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct CUctxCreateParams_st {
    void *execAffinityParams;
    int numExecAffinityParams;
    void *cigParams;
} CUctxCreateParams;
typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUmemLocationType_enum {
    CU_MEM_LOCATION_TYPE_INVALID = 0, CU_MEM_LOCATION_TYPE_DEVICE = 1, CU_MEM_LOCATION_TYPE_HOST = 2
} CUmemLocationType;
typedef struct CUmemLocation_st { CUmemLocationType type; int id; } CUmemLocation;
typedef enum CUmemAllocationType_enum {
    CU_MEM_ALLOCATION_TYPE_INVALID = 0, CU_MEM_ALLOCATION_TYPE_PINNED = 1
} CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1, CU_MEM_HANDLE_TYPE_WIN32 = 2,
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 4, CU_MEM_HANDLE_TYPE_FABRIC = 8
} CUmemAllocationHandleType;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0, CU_MEM_ACCESS_FLAGS_PROT_READ = 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef struct CUmemAccessDesc_st { CUmemLocation location; CUmemAccess_flags flags; } CUmemAccessDesc;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
enum { CU_MEM_ALLOCATION_COMP_NONE = 0, CU_MEM_ALLOCATION_COMP_GENERIC = 1 };
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

extern "C" CUresult cuInit(unsigned int flags), cuDriverGetVersion(int *version), cuDeviceGetCount(int *count),
    cuDeviceGet(CUdevice *device, int ordinal), cuDeviceGetName(char *name, int length, CUdevice device),
    cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device),
    cuDeviceTotalMem(size_t *bytes, CUdevice device),
    cuCtxCreate(CUcontext *context, ...), cuCtxDestroy(CUcontext context),
    cuCtxSynchronize(), cuCtxSetCurrent(CUcontext context), cuCtxGetCurrent(CUcontext *context),
    cuModuleLoad(CUmodule *module, const char *file), cuModuleLoadData(CUmodule *module, const void *image),
    cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values),
    cuModuleUnload(CUmodule module), cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name),
    cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name),
    cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name),
    cuMemAlloc(CUdeviceptr *pointer, size_t bytes), cuMemFree(CUdeviceptr pointer),
    cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes),
    cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes),
    cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes),
    cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                   unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                   CUstream stream, void **parameters, void **extra),
    cuGetErrorName(CUresult error, const char **name), cuGetErrorString(CUresult error, const char **text);
extern "C" CUresult cuArrayCreate(...), cuArrayDestroy(...), cuCtxDetach(...), cuCtxGetDevice(...),
    cuCtxPopCurrent(...), cuCtxPushCurrent(...), cuCtxSetCacheConfig(...), cuCtxSetLimit(...),
    cuDeviceComputeCapability(...), cuDeviceGetUuid(...), cuDevicePrimaryCtxRelease(...), cuDevicePrimaryCtxRetain(...),
    cuEventCreate(...), cuEventDestroy(...), cuEventElapsedTime(...), cuEventQuery(...), cuEventRecord(...),
    cuEventSynchronize(...), cuFuncGetAttribute(...), cuFuncSetAttribute(...), cuFuncSetBlockShape(...),
    cuFuncSetCacheConfig(...), cuFuncSetSharedSize(...), cuLaunch(...), cuLaunchCooperativeKernel(...),
    cuLaunchGrid(...), cuLinkAddData(...), cuLinkAddFile(...), cuLinkComplete(...), cuLinkCreate(...),
    cuLinkDestroy(...), cuMemAddressFree(...), cuMemAddressReserve(...), cuMemAllocHost(...), cuMemAllocManaged(...),
    cuMemAllocPitch(...), cuMemcpy(...), cuMemcpy2D(...), cuMemcpy3D(...), cuMemcpyAsync(...), cuMemcpyDtoHAsync(...),
    cuMemcpyHtoDAsync(...), cuMemCreate(...), cuMemFreeHost(...), cuMemGetInfo(...), cuMemHostAlloc(...),
    cuMemExportToShareableHandle(...), cuCtxEnablePeerAccess(...), cuLibraryLoadData(...), cuLibraryLoadFromFile(...), cuLibraryUnload(...),
    cuDeviceCanAccessPeer(...), cuMemGetAllocationGranularity(...),
    cuMemGetAllocationPropertiesFromHandle(...), cuMemImportFromShareableHandle(...),
    cuMemRetainAllocationHandle(...),
    cuMemHostGetDevicePointer(...), cuMemMap(...), cuMemRelease(...), cuMemSetAccess(...), cuMemsetD16(...),
    cuMemsetD32(...), cuMemsetD8(...), cuMemUnmap(...), cuModuleGetSurfRef(...), cuModuleGetTexRef(...),
    cuModuleLoadFatBinary(...), cuOccupancyMaxActiveBlocksPerMultiprocessor(...), cuOccupancyMaxPotentialBlockSize(...),
    cuParamSeti(...), cuParamSetSize(...), cuParamSetv(...), cuPointerGetAttribute(...), cuStreamCreate(...),
    cuStreamDestroy(...), cuStreamQuery(...), cuStreamSynchronize(...), cuStreamWaitEvent(...), cuTexObjectCreate(...),
    cuTexObjectDestroy(...);

/* Sources written for GPUVerify find these here. */
#include <cooperative_groups.h>
#include <curand_kernel.h>

#endif
