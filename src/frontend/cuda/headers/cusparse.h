/* cuSPARSE's functions for the host, declared only: they take any arguments. */
#ifndef LOCKSTEP_CUSPARSE
#define LOCKSTEP_CUSPARSE
#define CUSPARSEAPI
#pragma clang system_header
#include "cuda_runtime.h"
#include "cuComplex.h"
#include "lockstep/data_types.h"

typedef enum cusparseStatus {
    CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR,
    CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
    CUSPARSE_STATUS_ZERO_PIVOT, CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
} cusparseStatus_t;
typedef enum cusparseOperation {
    CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum cusparseIndexBase { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum cusparseIndexType { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I } cusparseIndexType_t;
typedef enum cusparsePointerMode { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum cusparseMatrixType {
    CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum cusparseFillMode { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum cusparseDiagType { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum cusparseOrder { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW } cusparseOrder_t;
typedef enum cusparseSpMVAlg {
    CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2,
    CUSPARSE_SPMV_COO_ALG2, CUSPARSE_MV_ALG_DEFAULT = 0
} cusparseSpMVAlg_t;
typedef enum cusparseSpMMAlg {
    CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_COO_ALG1, CUSPARSE_SPMM_COO_ALG2, CUSPARSE_SPMM_COO_ALG3,
    CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_COO_ALG4, CUSPARSE_SPMM_CSR_ALG2
} cusparseSpMMAlg_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;

#define __LOCKSTEP_EACH(_) cusparseS##_(...), cusparseD##_(...), cusparseC##_(...), cusparseZ##_(...)
extern "C" cusparseStatus_t cusparseCreate(cusparseHandle_t *handle), cusparseDestroy(cusparseHandle_t handle),
    cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream), cusparseGetVersion(...),
    cusparseSetPointerMode(...), cusparseCreateMatDescr(...), cusparseDestroyMatDescr(...), cusparseSetMatType(...),
    cusparseSetMatIndexBase(...), cusparseSetMatFillMode(...), cusparseSetMatDiagType(...), cusparseCreateCsr(...),
    cusparseCreateCsc(...), cusparseCreateCoo(...), cusparseCreateDnMat(...), cusparseCreateDnVec(...),
    cusparseCreateSpVec(...), cusparseDestroySpMat(...), cusparseDestroyDnMat(...), cusparseDestroyDnVec(...),
    cusparseDestroySpVec(...), cusparseSpMV_bufferSize(...), cusparseSpMV_preprocess(...), cusparseSpMV(...),
    cusparseSpMM_bufferSize(...), cusparseSpMM_preprocess(...), cusparseSpMM(...), cusparseSpVV_bufferSize(...),
    cusparseSpVV(...), cusparseAxpby(...), cusparseGather(...), cusparseScatter(...),
    cusparseDenseToSparse_bufferSize(...), cusparseDenseToSparse_analysis(...), cusparseDenseToSparse_convert(...),
    cusparseSparseToDense_bufferSize(...), cusparseSparseToDense(...), cusparseCsrSetPointers(...),
    cusparseSpMatGetSize(...), cusparseXcoo2csr(...), cusparseXcsr2coo(...), cusparseXcsrsort(...),
    cusparseXcsrsort_bufferSizeExt(...), cusparseCreateIdentityPermutation(...), __LOCKSTEP_EACH(csrmv),
    __LOCKSTEP_EACH(csrmm), __LOCKSTEP_EACH(csrmm2), __LOCKSTEP_EACH(dense2csr), __LOCKSTEP_EACH(csr2dense),
    __LOCKSTEP_EACH(nnz), __LOCKSTEP_EACH(csr2csc), __LOCKSTEP_EACH(gtsv2), __LOCKSTEP_EACH(gtsv2_bufferSizeExt);
#undef __LOCKSTEP_EACH
extern "C" const char *cusparseGetErrorName(cusparseStatus_t status);
extern "C" const char *cusparseGetErrorString(cusparseStatus_t status);

#endif
