/* cuRAND's functions for the host, declared only. */
#ifndef LOCKSTEP_CURAND
#define LOCKSTEP_CURAND
#define CURAND_H_
#pragma clang system_header
#include "cuda_runtime.h"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS, CURAND_STATUS_VERSION_MISMATCH, CURAND_STATUS_NOT_INITIALIZED,
    CURAND_STATUS_ALLOCATION_FAILED, CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED, CURAND_STATUS_LAUNCH_FAILURE,
    CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED, CURAND_STATUS_ARCH_MISMATCH,
    CURAND_STATUS_INTERNAL_ERROR
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST, CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
    CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_DEFAULT,
    CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED,
    CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT
} curandOrdering_t;
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
} curandDirectionVectorSet_t;
typedef struct curandGenerator_st *curandGenerator_t;
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

extern "C" curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type),
    curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type),
    curandDestroyGenerator(curandGenerator_t generator), curandGetVersion(int *version),
    curandSetStream(curandGenerator_t generator, cudaStream_t stream),
    curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed),
    curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset),
    curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order),
    curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions),
    curandGenerate(curandGenerator_t generator, unsigned int *to, size_t count),
    curandGenerateLongLong(curandGenerator_t generator, unsigned long long *to, size_t count),
    curandGenerateUniform(curandGenerator_t generator, float *to, size_t count),
    curandGenerateUniformDouble(curandGenerator_t generator, double *to, size_t count),
    curandGenerateNormal(curandGenerator_t generator, float *to, size_t count, float mean, float deviation),
    curandGenerateNormalDouble(curandGenerator_t generator, double *to, size_t count, double mean, double deviation),
    curandGenerateLogNormal(curandGenerator_t generator, float *to, size_t count, float mean, float deviation),
    curandGenerateLogNormalDouble(curandGenerator_t generator, double *to, size_t count, double mean, double deviation),
    curandGeneratePoisson(curandGenerator_t generator, unsigned int *to, size_t count, double lambda),
    curandGenerateSeeds(curandGenerator_t generator), curandCreatePoissonDistribution(...),
    curandDestroyDistribution(...), curandGetDirectionVectors32(...), curandGetDirectionVectors64(...),
    curandGetScrambleConstants32(...), curandGetScrambleConstants64(...), curandMakeMTGP32Constants(...),
    curandMakeMTGP32KernelState(...);

#endif
