/* Goes before every CUDA and HIP source that Lockstep compiles without the vendor's toolkit: the keywords, the built-in
   variables, launches. Device functions are declared without bodies: what they mean is said in src/frontend/cuda/. */
#pragma clang system_header

/* --- Keywords --------------------------------------------------------------------------------------------- */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* Clang knows managed variables of HIP only. To the device one is a variable like any other. */
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#ifndef __LOCKSTEP_PLAIN_HOST
#define __CUDACC__ 1
#define __NVCC__ 1
#endif
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
/* A version on the command line (-D CUDA_VERSION=11080) is that of all. */
#ifdef CUDA_VERSION
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#endif
#ifndef __CUDACC_VER_MINOR__
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#endif
#else
#define CUDA_VERSION 13000
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#endif
#ifndef __CUDACC_VER_MINOR__
#define __CUDACC_VER_MINOR__ 0
#endif
#ifndef __CUDACC_VER_BUILD__
#define __CUDACC_VER_BUILD__ 0
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION CUDA_VERSION
#endif
/* CUDA's compiler includes the runtime's headers by itself. */
#ifndef __LOCKSTEP_PLAIN_HOST
#include "lockstep/runtime_seen.h"
#endif
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI

#define __LOCKSTEP_DEVICE __attribute__((device))
#define __LOCKSTEP_INLINE __attribute__((device, always_inline)) static inline
#define __LOCKSTEP_BOTH __attribute__((host, device, always_inline)) static inline
#define __LOCKSTEP_MEMBER __attribute__((device, always_inline))
#define __LOCKSTEP_OF_BOTH __attribute__((host, device, always_inline))
/* Declared for the host and for the device, with a body for neither. */
#define __LOCKSTEP_ANYWHERE __attribute__((host, device))
/* The same, where the compiler is CUDA's: in plain C++ a program may have its own of these names. */
#ifdef __LOCKSTEP_PLAIN_HOST
#define __LOCKSTEP_OF_COMPILER __attribute__((device))
#else
#define __LOCKSTEP_OF_COMPILER __attribute__((host, device))
#endif
/* A pointer that the function uses while it runs and keeps nowhere. */
#define __LOCKSTEP_OUT __attribute__((noescape))
/* A function of the C library for the host, as the library's own header declares it. */
#define __LOCKSTEP_C extern "C"

#include <limits.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>

#include "lockstep/vector_types.h"
#include "lockstep/variables.h"
#include "lockstep/synchronisation.h"
#include "lockstep/atomics.h"
#include "lockstep/device_functions.h"
#include "lockstep/mathematics.h"
#include "lockstep/library.h"
#include "lockstep/runtime.h"
#include "lockstep/textures.h"
