/* The runtime's types, and its functions that host code calls, declared only: of the host nothing but launches is looked at. What is
   rarely called takes any arguments. */
#ifndef LOCKSTEP_RUNTIME
#define LOCKSTEP_RUNTIME
#pragma clang system_header

/* --- Launches --------------------------------------------------------------------------------------------- */
typedef struct CUstream_st *cudaStream_t;
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

/* --- Enumerations ----------------------------------------------------------------------------------------- */
enum cudaError {
    cudaSuccess = 0, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInitializationError,
    cudaErrorCudartUnloading, cudaErrorProfilerDisabled, cudaErrorProfilerNotInitialized,
    cudaErrorProfilerAlreadyStarted, cudaErrorProfilerAlreadyStopped, cudaErrorInvalidConfiguration,
    cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol, cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer,
    cudaErrorInvalidTexture, cudaErrorInvalidTextureBinding, cudaErrorInvalidChannelDescriptor,
    cudaErrorInvalidMemcpyDirection, cudaErrorAddressOfConstant, cudaErrorTextureFetchFailed,
    cudaErrorTextureNotBound, cudaErrorSynchronizationError, cudaErrorInvalidFilterSetting,
    cudaErrorInvalidNormSetting, cudaErrorMixedDeviceExecution, cudaErrorNotYetImplemented = 31,
    cudaErrorMemoryValueTooLarge, cudaErrorStubLibrary = 34, cudaErrorInsufficientDriver,
    cudaErrorCallRequiresNewerDriver,
    cudaErrorInvalidSurface, cudaErrorDuplicateVariableName = 43, cudaErrorDuplicateTextureName,
    cudaErrorDuplicateSurfaceName, cudaErrorDevicesUnavailable, cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52, cudaErrorPriorLaunchFailure, cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex, cudaErrorLaunchFileScopedSurf, cudaErrorSyncDepthExceeded,
    cudaErrorLaunchPendingCountExceeded, cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice,
    cudaErrorDeviceNotLicensed, cudaErrorSoftwareValidityNotEstablished, cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200, cudaErrorDeviceUninitialized, cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed, cudaErrorArrayIsMapped, cudaErrorAlreadyMapped, cudaErrorNoKernelImageForDevice,
    cudaErrorAlreadyAcquired, cudaErrorNotMapped, cudaErrorNotMappedAsArray, cudaErrorNotMappedAsPointer,
    cudaErrorECCUncorrectable, cudaErrorUnsupportedLimit, cudaErrorDeviceAlreadyInUse, cudaErrorPeerAccessUnsupported,
    cudaErrorInvalidPtx, cudaErrorInvalidGraphicsContext, cudaErrorNvlinkUncorrectable, cudaErrorJitCompilerNotFound,
    cudaErrorUnsupportedPtxVersion, cudaErrorJitCompilationDisabled, cudaErrorUnsupportedExecAffinity,
    cudaErrorInvalidSource = 300, cudaErrorFileNotFound, cudaErrorSharedObjectSymbolNotFound,
    cudaErrorSharedObjectInitFailed, cudaErrorOperatingSystem, cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState,
    cudaErrorLossyQuery, cudaErrorSymbolNotFound = 500, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources, cudaErrorLaunchTimeout, cudaErrorLaunchIncompatibleTexturing,
    cudaErrorPeerAccessAlreadyEnabled, cudaErrorPeerAccessNotEnabled, cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed, cudaErrorAssert, cudaErrorTooManyPeers, cudaErrorHostMemoryAlreadyRegistered,
    cudaErrorHostMemoryNotRegistered, cudaErrorHardwareStackError, cudaErrorIllegalInstruction,
    cudaErrorMisalignedAddress, cudaErrorInvalidAddressSpace, cudaErrorInvalidPc, cudaErrorLaunchFailure,
    cudaErrorCooperativeLaunchTooLarge, cudaErrorNotPermitted = 800, cudaErrorNotSupported, cudaErrorSystemNotReady,
    cudaErrorSystemDriverMismatch, cudaErrorCompatNotSupportedOnDevice, cudaErrorMpsConnectionFailed,
    cudaErrorStreamCaptureUnsupported = 900, cudaErrorStreamCaptureInvalidated, cudaErrorStreamCaptureMerge,
    cudaErrorStreamCaptureUnmatched, cudaErrorStreamCaptureUnjoined, cudaErrorStreamCaptureIsolation,
    cudaErrorStreamCaptureImplicit, cudaErrorCapturedEvent, cudaErrorStreamCaptureWrongThread, cudaErrorTimeout,
    cudaErrorGraphExecUpdateFailure, cudaErrorExternalDevice, cudaErrorInvalidClusterSize, cudaErrorUnknown = 999,
    cudaErrorApiFailureBase = 10000
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaFuncCache {
    cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout,
    cudaFuncAttributeClusterDimMustBeSet, cudaFuncAttributeRequiredClusterWidth,
    cudaFuncAttributeRequiredClusterHeight, cudaFuncAttributeRequiredClusterDepth,
    cudaFuncAttributeNonPortableClusterSizeAllowed, cudaFuncAttributeClusterSchedulingPolicyPreference,
    cudaFuncAttributeMax
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100
};
enum cudaComputeMode {
    cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess
};
enum cudaLimit {
    cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1, cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
    cudaMemRangeAttributeLastPrefetchLocation
};
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported, cudaDevP2PAttrNativeAtomicSupported,
    cudaDevP2PAttrCudaArrayAccessSupported
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ,
    cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ, cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrTotalConstantMemory, cudaDevAttrWarpSize, cudaDevAttrMaxPitch, cudaDevAttrMaxRegistersPerBlock,
    cudaDevAttrClockRate, cudaDevAttrTextureAlignment, cudaDevAttrGpuOverlap, cudaDevAttrMultiProcessorCount,
    cudaDevAttrKernelExecTimeout, cudaDevAttrIntegrated, cudaDevAttrCanMapHostMemory, cudaDevAttrComputeMode,
    cudaDevAttrMaxTexture1DWidth, cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight,
    cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth,
    cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight, cudaDevAttrMaxTexture2DLayeredLayers,
    cudaDevAttrSurfaceAlignment, cudaDevAttrConcurrentKernels, cudaDevAttrEccEnabled, cudaDevAttrPciBusId,
    cudaDevAttrPciDeviceId, cudaDevAttrTccDriver, cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth,
    cudaDevAttrL2CacheSize, cudaDevAttrMaxThreadsPerMultiProcessor, cudaDevAttrAsyncEngineCount,
    cudaDevAttrUnifiedAddressing, cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers,
    cudaDevAttrMaxTexture1DLinearWidth = 69, cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight,
    cudaDevAttrMaxTexture2DLinearPitch, cudaDevAttrMaxSurface1DWidth = 55, cudaDevAttrMaxSurface2DWidth,
    cudaDevAttrMaxSurface2DHeight, cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight,
    cudaDevAttrMaxSurface3DDepth, cudaDevAttrPciDomainId = 50, cudaDevAttrTexturePitchAlignment,
    cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported, cudaDevAttrLocalL1CacheSupported, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrMaxRegistersPerMultiprocessor, cudaDevAttrManagedMemory, cudaDevAttrIsMultiGpuBoard,
    cudaDevAttrMultiGpuBoardGroupID, cudaDevAttrHostNativeAtomicSupported,
    cudaDevAttrSingleToDoublePrecisionPerfRatio, cudaDevAttrPageableMemoryAccess, cudaDevAttrConcurrentManagedAccess,
    cudaDevAttrComputePreemptionSupported, cudaDevAttrCanUseHostPointerForRegisteredMem,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrCooperativeMultiDeviceLaunch, cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrCanFlushRemoteWrites,
    cudaDevAttrHostRegisterSupported, cudaDevAttrPageableMemoryAccessUsesHostPageTables,
    cudaDevAttrDirectManagedMemAccessFromHost, cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMaxPersistingL2CacheSize = 108, cudaDevAttrMaxAccessPolicyWindowSize,
    cudaDevAttrReservedSharedMemoryPerBlock = 111, cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119, cudaDevAttrClusterLaunch, cudaDevAttrIpcEventSupport = 125,
    cudaDevAttrMax = 135
};
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
};
enum cudaResourceType {
    cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D
};
enum cudaResourceViewFormat {
    cudaResViewFormatNone, cudaResViewFormatUnsignedChar1, cudaResViewFormatUnsignedChar2,
    cudaResViewFormatUnsignedChar4, cudaResViewFormatSignedChar1, cudaResViewFormatSignedChar2,
    cudaResViewFormatSignedChar4, cudaResViewFormatUnsignedShort1, cudaResViewFormatUnsignedShort2,
    cudaResViewFormatUnsignedShort4, cudaResViewFormatSignedShort1, cudaResViewFormatSignedShort2,
    cudaResViewFormatSignedShort4, cudaResViewFormatUnsignedInt1, cudaResViewFormatUnsignedInt2,
    cudaResViewFormatUnsignedInt4, cudaResViewFormatSignedInt1, cudaResViewFormatSignedInt2,
    cudaResViewFormatSignedInt4, cudaResViewFormatHalf1, cudaResViewFormatHalf2, cudaResViewFormatHalf4,
    cudaResViewFormatFloat1, cudaResViewFormatFloat2, cudaResViewFormatFloat4
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost,
    cudaGraphNodeTypeGraph, cudaGraphNodeTypeEmpty, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord,
    cudaGraphNodeTypeExtSemaphoreSignal, cudaGraphNodeTypeExtSemaphoreWait, cudaGraphNodeTypeMemAlloc,
    cudaGraphNodeTypeMemFree, cudaGraphNodeTypeConditional = 13, cudaGraphNodeTypeCount
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess, cudaGraphExecUpdateError, cudaGraphExecUpdateErrorTopologyChanged,
    cudaGraphExecUpdateErrorNodeTypeChanged, cudaGraphExecUpdateErrorFunctionChanged,
    cudaGraphExecUpdateErrorParametersChanged, cudaGraphExecUpdateErrorNotSupported
};
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, cudaGraphInstantiateFlagUpload,
    cudaGraphInstantiateFlagDeviceLaunch = 4, cudaGraphInstantiateFlagUseNodePriority = 8
};
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh
};
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone, cudaMemAccessFlagsProtRead, cudaMemAccessFlagsProtReadWrite = 3
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone, cudaMemHandleTypePosixFileDescriptor, cudaMemHandleTypeWin32, cudaMemHandleTypeWin32Kmt = 4
};
enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1, cudaSyncPolicySpin, cudaSyncPolicyYield, cudaSyncPolicyBlockingSync
};
typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeClusterSchedulingPolicyPreference, cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributePriority, cudaLaunchAttributeMemSyncDomainMap,
    cudaLaunchAttributeMemSyncDomain
} cudaLaunchAttributeID;

#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaHostRegisterIoMemory 4
#define cudaHostRegisterReadOnly 8
#define cudaPeerAccessDefault 0
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventRecordExternal 1
#define cudaEventWaitDefault 0
#define cudaEventWaitExternal 1
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceScheduleMask 7
#define cudaDeviceMapHost 8
#define cudaDeviceLmemResizeToMax 16
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8
#define cudaIpcMemLazyEnablePeerAccess 1
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaOccupancyDefault 0
#define cudaOccupancyDisableCachingOverride 1
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaStreamAddCaptureDependencies 0
#define cudaStreamSetCaptureDependencies 1
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define CUDA_IPC_HANDLE_SIZE 64

/* --- Structures ------------------------------------------------------------------------------------------- */
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUuserObject_st *cudaUserObject_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly, cudaGraphicsMapFlagsWriteDiscard
};
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone, cudaGraphicsRegisterFlagsReadOnly, cudaGraphicsRegisterFlagsWriteDiscard,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4, cudaGraphicsRegisterFlagsTextureGather = 8
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

typedef struct cudaUUID_st { char bytes[16]; } cudaUUID_t;
typedef struct cudaIpcEventHandle_st { char reserved[CUDA_IPC_HANDLE_SIZE]; } cudaIpcEventHandle_t;
typedef struct cudaIpcMemHandle_st { char reserved[CUDA_IPC_HANDLE_SIZE]; } cudaIpcMemHandle_t;
struct cudaPos { size_t x, y, z; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaChannelFormatDesc { int x, y, z, w; enum cudaChannelFormatKind f; };
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    int dstDevice;
    struct cudaExtent extent;
};
struct cudaMemsetParams { void *dst; size_t pitch; unsigned int value, elementSize; size_t width, height; };
struct cudaHostNodeParams { cudaHostFn_t fn; void *userData; };
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaLaunchParams { void *func; dim3 gridDim, blockDim; void **args; size_t sharedMem; cudaStream_t stream; };
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { cudaMipmappedArray_t mipmap; } mipmap;
        struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    } res;
};
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaPointerAttributes { enum cudaMemoryType type; int device; void *devicePointer, *hostPointer; };
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};
struct cudaMemLocation { enum cudaMemLocationType type; int id; };
struct cudaMemAccessDesc { struct cudaMemLocation location; enum cudaMemAccessFlags flags; };
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned char reserved[56];
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cudaAccessProperty hitProp, missProp;
};
typedef union cudaLaunchAttributeValue {
    char pad[64];
    struct cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum cudaSynchronizationPolicy syncPolicy;
    struct { unsigned int x, y, z; } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; } cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaKernelNodeAttrID cudaLaunchAttributeID
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2];
    int maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
};

/* --- Functions -------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_HOST extern "C" cudaError_t
__LOCKSTEP_HOST cudaGetLastError();
__LOCKSTEP_HOST cudaPeekAtLastError();
extern "C" const char *cudaGetErrorName(cudaError_t error);
extern "C" const char *cudaGetErrorString(cudaError_t error);
__LOCKSTEP_HOST cudaDeviceReset();
__LOCKSTEP_HOST cudaDeviceSynchronize();
__LOCKSTEP_HOST cudaThreadExit();
__LOCKSTEP_HOST cudaThreadSynchronize();
__LOCKSTEP_HOST cudaGetDeviceCount(__LOCKSTEP_OUT int *count);
__LOCKSTEP_HOST cudaGetDeviceProperties(__LOCKSTEP_OUT struct cudaDeviceProp *properties, int device);
__LOCKSTEP_HOST cudaChooseDevice(__LOCKSTEP_OUT int *device, __LOCKSTEP_OUT const struct cudaDeviceProp *properties);
__LOCKSTEP_HOST cudaDeviceGetAttribute(__LOCKSTEP_OUT int *value, enum cudaDeviceAttr attribute, int device);
__LOCKSTEP_HOST cudaSetDevice(int device);
__LOCKSTEP_HOST cudaGetDevice(__LOCKSTEP_OUT int *device);
__LOCKSTEP_HOST cudaSetDeviceFlags(unsigned int flags);
__LOCKSTEP_HOST cudaDriverGetVersion(__LOCKSTEP_OUT int *version);
__LOCKSTEP_HOST cudaRuntimeGetVersion(__LOCKSTEP_OUT int *version);
__LOCKSTEP_HOST cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
__LOCKSTEP_HOST cudaDeviceGetLimit(__LOCKSTEP_OUT size_t *value, enum cudaLimit limit);
__LOCKSTEP_HOST cudaDeviceSetCacheConfig(enum cudaFuncCache configuration);
__LOCKSTEP_HOST cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig configuration);
__LOCKSTEP_HOST cudaDeviceGetStreamPriorityRange(__LOCKSTEP_OUT int *least, __LOCKSTEP_OUT int *greatest);
__LOCKSTEP_HOST cudaDeviceCanAccessPeer(__LOCKSTEP_OUT int *can, int device, int peer);
__LOCKSTEP_HOST cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
__LOCKSTEP_HOST cudaDeviceDisablePeerAccess(int peer);

__LOCKSTEP_HOST cudaStreamCreate(cudaStream_t *stream);
__LOCKSTEP_HOST cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__LOCKSTEP_HOST cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
__LOCKSTEP_HOST cudaStreamDestroy(cudaStream_t stream);
__LOCKSTEP_HOST cudaStreamSynchronize(cudaStream_t stream);
__LOCKSTEP_HOST cudaStreamQuery(cudaStream_t stream);
__LOCKSTEP_HOST cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
__LOCKSTEP_HOST cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                      unsigned int flags);
__LOCKSTEP_HOST cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
__LOCKSTEP_HOST cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
__LOCKSTEP_HOST cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
__LOCKSTEP_HOST cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
__LOCKSTEP_HOST cudaEventDestroy(cudaEvent_t event);
__LOCKSTEP_HOST cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaEventSynchronize(cudaEvent_t event);
__LOCKSTEP_HOST cudaEventQuery(cudaEvent_t event);
__LOCKSTEP_HOST cudaEventElapsedTime(__LOCKSTEP_OUT float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags = 0);

__LOCKSTEP_HOST cudaFree(void *pointer);
__LOCKSTEP_HOST cudaFreeHost(void *pointer);
__LOCKSTEP_HOST cudaFreeArray(cudaArray_t array);
__LOCKSTEP_HOST cudaFreeMipmappedArray(cudaMipmappedArray_t array);
__LOCKSTEP_HOST cudaFreeAsync(void *pointer, cudaStream_t stream);
__LOCKSTEP_HOST cudaHostRegister(void *pointer, size_t bytes, unsigned int flags);
__LOCKSTEP_HOST cudaHostUnregister(void *pointer);
__LOCKSTEP_HOST cudaMemGetInfo(__LOCKSTEP_OUT size_t *free, __LOCKSTEP_OUT size_t *total);
__LOCKSTEP_HOST cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
__LOCKSTEP_HOST cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
__LOCKSTEP_HOST cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                    cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind);
__LOCKSTEP_HOST cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                  enum cudaMemcpyKind kind);
__LOCKSTEP_HOST cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                    enum cudaMemcpyKind kind);
__LOCKSTEP_HOST cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                    size_t height, enum cudaMemcpyKind kind);
__LOCKSTEP_HOST cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                      size_t height, enum cudaMemcpyKind kind);
__LOCKSTEP_HOST cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
__LOCKSTEP_HOST cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMemset(void *pointer, int byte, size_t bytes);
__LOCKSTEP_HOST cudaMemsetAsync(void *pointer, int byte, size_t bytes, cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMemset2D(void *pointer, size_t pitch, int byte, size_t width, size_t height);
__LOCKSTEP_HOST cudaMemset3D(struct cudaPitchedPtr pointer, int byte, struct cudaExtent extent);
__LOCKSTEP_HOST cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device);
/* As CUDA 13 has them. */
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation where);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation to, unsigned int flags,
    cudaStream_t stream = 0);
__LOCKSTEP_HOST cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
__LOCKSTEP_HOST cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                                size_t height = 0, unsigned int flags = 0);
__LOCKSTEP_HOST cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                                  struct cudaExtent extent, unsigned int flags = 0);
__LOCKSTEP_HOST cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);

__LOCKSTEP_HOST cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                        const struct cudaTextureDesc *description,
                                        const struct cudaResourceViewDesc *view);
__LOCKSTEP_HOST cudaDestroyTextureObject(cudaTextureObject_t texture);
__LOCKSTEP_HOST cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource);
__LOCKSTEP_HOST cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height);
cudaPos make_cudaPos(size_t x, size_t y, size_t z);
cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth);

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes);
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0);
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags);
template <class T> cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = 0);
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream);
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
template <class T> cudaError_t cudaMallocPitch(T **pointer, __LOCKSTEP_OUT size_t *pitch, size_t width, size_t height);
template <class T> cudaError_t cudaHostGetDevicePointer(T **pointer, void *host, unsigned int flags);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol);
template <class T> cudaError_t cudaGetSymbolSize(__LOCKSTEP_OUT size_t *bytes, const T &symbol);

template <class T>
cudaError_t cudaLaunchKernel(const T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t stream = 0);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(const T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                        cudaStream_t stream = 0);
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration, void (*kernel)(P...), A &&...arguments);
__LOCKSTEP_HOST cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel, void **arguments);
__LOCKSTEP_HOST cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launches, unsigned int devices,
                                                       unsigned int flags = 0);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache configuration);
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig configuration);
template <class T> cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel);
template <class T> cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(__LOCKSTEP_OUT int *blocks, T kernel, int block_size, size_t shared);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__LOCKSTEP_OUT int *blocks, T kernel, int block_size, size_t shared,
                                                                   unsigned int flags);
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(__LOCKSTEP_OUT size_t *shared, T kernel, int blocks, int block_size);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(__LOCKSTEP_OUT int *grid_size, __LOCKSTEP_OUT int *block_size, T kernel, size_t shared = 0,
                                               int limit = 0);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(__LOCKSTEP_OUT int *grid_size, __LOCKSTEP_OUT int *block_size, T kernel, size_t shared = 0,
                                                        int limit = 0, unsigned int flags = 0);
template <class F, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(__LOCKSTEP_OUT int *grid_size, __LOCKSTEP_OUT int *block_size, T kernel, F shared,
                                                           int limit = 0);
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(__LOCKSTEP_OUT int *clusters, T *kernel, const cudaLaunchConfig_t *configuration);
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(__LOCKSTEP_OUT int *size, T *kernel, const cudaLaunchConfig_t *configuration);

/* Rarely called. */
__LOCKSTEP_HOST
    cudaArrayGetInfo(...), cudaCtxResetPersistingL2Cache(...), cudaDestroyExternalMemory(...),
    cudaDestroyExternalSemaphore(...), cudaDeviceFlushGPUDirectRDMAWrites(...), cudaDeviceGetByPCIBusId(...),
    cudaDeviceGetCacheConfig(...), cudaDeviceGetDefaultMemPool(...), cudaDeviceGetGraphMemAttribute(...),
    cudaDeviceGetMemPool(...), cudaDeviceGetP2PAttribute(...), cudaDeviceGetPCIBusId(...),
    cudaDeviceGetSharedMemConfig(...), cudaDeviceGraphMemTrim(...), cudaDeviceSetGraphMemAttribute(...),
    cudaDeviceSetMemPool(...), cudaEventRecordWithFlags(...), cudaExternalMemoryGetMappedBuffer(...),
    cudaGetChannelDesc(...), cudaGetDeviceFlags(...), cudaGetMipmappedArrayLevel(...),
    cudaGetTextureObjectResourceDesc(...), cudaGraphAddChildGraphNode(...), cudaGraphAddDependencies(...),
    cudaGraphAddEmptyNode(...), cudaGraphAddEventRecordNode(...), cudaGraphAddEventWaitNode(...),
    cudaGraphAddHostNode(...), cudaGraphAddKernelNode(...), cudaGraphAddMemAllocNode(...),
    cudaGraphAddMemcpyNode(...), cudaGraphAddMemcpyNode1D(...), cudaGraphAddMemFreeNode(...),
    cudaGraphAddMemsetNode(...), cudaGraphAddNode(...), cudaGraphChildGraphNodeGetGraph(...), cudaGraphClone(...),
    cudaGraphCreate(...), cudaGraphDebugDotPrint(...), cudaGraphDestroy(...), cudaGraphDestroyNode(...),
    cudaGraphExecDestroy(...), cudaGraphExecKernelNodeSetParams(...), cudaGraphExecMemcpyNodeSetParams(...),
    cudaGraphExecMemsetNodeSetParams(...), cudaGraphExecUpdate(...), cudaGraphGetEdges(...), cudaGraphGetNodes(...),
    cudaGraphGetRootNodes(...), cudaGraphicsMapResources(...), cudaGraphicsResourceGetMappedPointer(...),
    cudaGraphicsResourceSetMapFlags(...), cudaGraphicsSubResourceGetMappedArray(...), cudaGraphicsUnmapResources(...),
    cudaGraphicsUnregisterResource(...), cudaGraphInstantiate(...), cudaGraphInstantiateWithFlags(...),
    cudaGraphKernelNodeSetAttribute(...), cudaGraphKernelNodeGetParams(...), cudaGraphKernelNodeSetParams(...),
    cudaGraphLaunch(...),
    cudaGraphNodeGetType(...), cudaGraphUpload(...), cudaHostGetFlags(...), cudaImportExternalMemory(...),
    cudaImportExternalSemaphore(...), cudaInitDevice(...), cudaIpcCloseMemHandle(...), cudaIpcGetEventHandle(...),
    cudaIpcGetMemHandle(...), cudaIpcOpenEventHandle(...), cudaIpcOpenMemHandle(...), cudaMallocMipmappedArray(...),
    cudaMemcpy2DArrayToArray(...), cudaMemcpy2DFromArrayAsync(...), cudaMemcpy2DToArrayAsync(...),
    cudaMemcpy3DPeer(...), cudaMemcpy3DPeerAsync(...), cudaMemcpyArrayToArray(...), cudaMemcpyToArrayAsync(...),
    cudaMemPoolCreate(...), cudaMemPoolDestroy(...), cudaMemPoolExportPointer(...),
    cudaMemPoolExportToShareableHandle(...), cudaMemPoolGetAttribute(...), cudaMemPoolImportFromShareableHandle(...),
    cudaMemPoolImportPointer(...), cudaMemPoolSetAccess(...), cudaMemPoolSetAttribute(...), cudaMemPoolTrimTo(...),
    cudaMemRangeGetAttribute(...), cudaMemset2DAsync(...), cudaMemset3DAsync(...), cudaSetValidDevices(...),
    cudaSignalExternalSemaphoresAsync(...), cudaStreamAttachMemAsync(...), cudaStreamGetAttribute(...),
    cudaStreamGetCaptureInfo(...), cudaStreamGetFlags(...), cudaStreamGetPriority(...), cudaStreamIsCapturing(...),
    cudaStreamSetAttribute(...), cudaStreamUpdateCaptureDependencies(...), cudaThreadSetCacheConfig(...),
    cudaThreadSetLimit(...), cudaUserObjectCreate(...), cudaWaitExternalSemaphoresAsync(...);

#endif
