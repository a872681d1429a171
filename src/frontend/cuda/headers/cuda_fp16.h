/* Floats of 16 bits. */
#ifndef LOCKSTEP_CUDA_FP16
#define LOCKSTEP_CUDA_FP16
#pragma clang system_header
#include "lockstep/any.h"

#define __T __half
#define __T2 __half2
#define __RAW __half_raw
#define __RAW2 __half2_raw
#define __F _Float16
#define __H(a, b) a##half##b
#define __HH(a, b, c) a##half##b##half##c
#include "lockstep/half.h"
#undef __T
#undef __T2
#undef __RAW
#undef __RAW2
#undef __F
#undef __H
#undef __HH
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#endif
