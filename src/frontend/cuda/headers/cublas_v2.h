/* cuBLAS's functions for the host, declared only: they take any arguments. */
#ifndef LOCKSTEP_CUBLAS
#define LOCKSTEP_CUBLAS
#define CUBLAS_API_H_
#pragma clang system_header
#include "cuda_runtime.h"
#include "cuComplex.h"
#include "cuda_fp16.h"
#include "lockstep/data_types.h"

typedef enum cublasStatus {
    CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_INITIALIZED, CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH, CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR, CUBLAS_STATUS_NOT_SUPPORTED,
    CUBLAS_STATUS_LICENSE_ERROR
} cublasStatus_t;
typedef enum cublasOperation { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum cublasFillMode {
    CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum cublasDiagType { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum cublasSideMode { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum cublasPointerMode { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum cublasMath {
    CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH
} cublasMath_t;
typedef enum cublasGemmAlgo {
    CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum cublasComputeType {
    CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_COMPUTE_32F_FAST_TF32,
    CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_32I
} cublasComputeType_t;
typedef struct cublasContext *cublasHandle_t;

#define __LOCKSTEP_EACH(_) __LOCKSTEP_REAL(_), cublasC##_(...), cublasZ##_(...)
#define __LOCKSTEP_REAL(_) cublasS##_(...), cublasD##_(...)
extern "C" cublasStatus_t cublasCreate(cublasHandle_t *handle), cublasDestroy(cublasHandle_t handle),
    cublasSetStream(cublasHandle_t handle, cudaStream_t stream), cublasGetStream(...), cublasGetVersion(...),
    cublasSetMathMode(...), cublasSetPointerMode(...), cublasGetPointerMode(...), cublasSetMatrix(...),
    cublasGetMatrix(...), cublasSetVector(...), cublasGetVector(...), cublasSetMatrixAsync(...),
    cublasGetMatrixAsync(...), cublasSetWorkspace(...), cublasHgemm(...), cublasHgemmStridedBatched(...),
    cublasGemmEx(...), cublasSgemmEx(...), cublasGemmBatchedEx(...), cublasGemmStridedBatchedEx(...), cublasIsamax(...),
    cublasIdamax(...), cublasIsamin(...), cublasIdamin(...), cublasSasum(...), cublasDasum(...), cublasSnrm2(...),
    cublasDnrm2(...), cublasScnrm2(...), cublasDznrm2(...), cublasCdotc(...), cublasZdotc(...), cublasCdotu(...),
    cublasZdotu(...), __LOCKSTEP_REAL(dot), __LOCKSTEP_REAL(ger), __LOCKSTEP_REAL(symv), __LOCKSTEP_REAL(syr),
    __LOCKSTEP_EACH(axpy), __LOCKSTEP_EACH(copy), __LOCKSTEP_EACH(dgmm), __LOCKSTEP_EACH(geam), __LOCKSTEP_EACH(gemm),
    __LOCKSTEP_EACH(gemmBatched), __LOCKSTEP_EACH(gemmStridedBatched), __LOCKSTEP_EACH(gemv),
    __LOCKSTEP_EACH(getrfBatched), __LOCKSTEP_EACH(getriBatched), __LOCKSTEP_EACH(rot), __LOCKSTEP_EACH(scal),
    __LOCKSTEP_EACH(swap), __LOCKSTEP_EACH(symm), __LOCKSTEP_EACH(syrk), __LOCKSTEP_EACH(trmm), __LOCKSTEP_EACH(trsm),
    __LOCKSTEP_EACH(trsv);
#undef __LOCKSTEP_EACH
#undef __LOCKSTEP_REAL
extern "C" const char *cublasGetStatusName(cublasStatus_t status);
extern "C" const char *cublasGetStatusString(cublasStatus_t status);

#endif
