/* The runtime's functions that host code calls, declared only: nothing of the host is analysed. */
#ifndef LOCKSTEP_RUNTIME
#define LOCKSTEP_RUNTIME
#pragma clang system_header

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaError { cudaSuccess = 0 };
typedef enum cudaError cudaError_t;

extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

#endif
