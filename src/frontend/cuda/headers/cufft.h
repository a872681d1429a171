/* cuFFT's functions for the host, declared only. */
#ifndef LOCKSTEP_CUFFT
#define LOCKSTEP_CUFFT
#define _CUFFT_H_
#pragma clang system_header
#include "cuda_runtime.h"
#include "cuComplex.h"
#include "lockstep/data_types.h"

typedef enum cufftResult_t {
    CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA,
    CUFFT_INCOMPLETE_PARAMETER_LIST, CUFFT_INVALID_DEVICE, CUFFT_PARSE_ERROR, CUFFT_NO_WORKSPACE,
    CUFFT_NOT_IMPLEMENTED, CUFFT_LICENSE_ERROR, CUFFT_NOT_SUPPORTED, CUFFT_MISSING_DEPENDENCY, CUFFT_NVRTC_FAILURE,
    CUFFT_NVJITLINK_FAILURE, CUFFT_NVSHMEM_FAILURE
} cufftResult;
typedef enum cufftType_t { CUFFT_R2C, CUFFT_C2R, CUFFT_C2C, CUFFT_D2Z, CUFFT_Z2D, CUFFT_Z2Z } cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

extern "C" cufftResult cufftPlan1d(cufftHandle *plan, int size, cufftType type, int batch),
    cufftPlan2d(cufftHandle *plan, int rows, int columns, cufftType type),
    cufftPlan3d(cufftHandle *plan, int x, int y, int z, cufftType type), cufftPlanMany(...),
    cufftCreate(cufftHandle *plan), cufftDestroy(cufftHandle plan), cufftMakePlan1d(...), cufftMakePlan2d(...),
    cufftMakePlan3d(...), cufftMakePlanMany(...), cufftSetStream(cufftHandle plan, cudaStream_t stream),
    cufftSetWorkArea(...), cufftSetAutoAllocation(...), cufftGetSize(...), cufftGetVersion(...), cufftEstimate1d(...),
    cufftEstimate2d(...), cufftEstimate3d(...),
    cufftExecC2C(cufftHandle plan, cufftComplex *from, cufftComplex *to, int direction),
    cufftExecR2C(cufftHandle plan, cufftReal *from, cufftComplex *to),
    cufftExecC2R(cufftHandle plan, cufftComplex *from, cufftReal *to),
    cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *from, cufftDoubleComplex *to, int direction),
    cufftExecD2Z(cufftHandle plan, cufftDoubleReal *from, cufftDoubleComplex *to),
    cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *from, cufftDoubleReal *to);

#endif
