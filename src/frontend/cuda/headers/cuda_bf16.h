/* Floats of 16 bits with the exponent of float. */
#ifndef LOCKSTEP_CUDA_BF16
#define LOCKSTEP_CUDA_BF16
#pragma clang system_header
#include "lockstep/any.h"

#define __T __nv_bfloat16
#define __T2 __nv_bfloat162
#define __RAW __nv_bfloat16_raw
#define __RAW2 __nv_bfloat162_raw
#define __F __bf16
#define __H(a, b) a##bfloat16##b
#define __HH(a, b, c) a##bfloat16##b##bfloat16##c
#include "lockstep/half.h"
#undef __T
#undef __T2
#undef __RAW
#undef __RAW2
#undef __F
#undef __H
#undef __HH
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
