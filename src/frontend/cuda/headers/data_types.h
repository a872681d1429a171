/* The types of data that NVIDIA's libraries are told of. */
#ifndef LOCKSTEP_DATA_TYPES
#define LOCKSTEP_DATA_TYPES
#pragma clang system_header

typedef enum cudaDataType {
    CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_C_32F, CUDA_C_64F, CUDA_C_16F, CUDA_R_8U, CUDA_R_32I,
    CUDA_R_16BF
} cudaDataType_t;

#endif
