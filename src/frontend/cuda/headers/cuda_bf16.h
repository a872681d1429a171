/* Floats of 16 bits with the exponent of float. */
#ifndef LOCKSTEP_CUDA_BF16
#define LOCKSTEP_CUDA_BF16
#pragma clang system_header

#define __LOCKSTEP_T __nv_bfloat16
#define __LOCKSTEP_T2 __nv_bfloat162
#define __LOCKSTEP_TRAW __nv_bfloat16_raw
#define __LOCKSTEP_T2RAW __nv_bfloat162_raw
#define __LOCKSTEP_F __bf16
#define __LOCKSTEP_H(a, b) a##bfloat16##b
#define __LOCKSTEP_HH(a, b, c) a##bfloat16##b##bfloat16##c
#include "lockstep/half.h"
#undef __LOCKSTEP_T
#undef __LOCKSTEP_T2
#undef __LOCKSTEP_TRAW
#undef __LOCKSTEP_T2RAW
#undef __LOCKSTEP_F
#undef __LOCKSTEP_H
#undef __LOCKSTEP_HH
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
