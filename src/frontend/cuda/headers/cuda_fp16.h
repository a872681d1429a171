/* Floats of 16 bits. */
#ifndef LOCKSTEP_CUDA_FP16
#define LOCKSTEP_CUDA_FP16
#pragma clang system_header

#define __LOCKSTEP_T __half
#define __LOCKSTEP_T2 __half2
#define __LOCKSTEP_TRAW __half_raw
#define __LOCKSTEP_T2RAW __half2_raw
#define __LOCKSTEP_F _Float16
#define __LOCKSTEP_H(a, b) a##half##b
#define __LOCKSTEP_HH(a, b, c) a##half##b##half##c
#include "lockstep/half.h"
#undef __LOCKSTEP_T
#undef __LOCKSTEP_T2
#undef __LOCKSTEP_TRAW
#undef __LOCKSTEP_T2RAW
#undef __LOCKSTEP_F
#undef __LOCKSTEP_H
#undef __LOCKSTEP_HH
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#endif
