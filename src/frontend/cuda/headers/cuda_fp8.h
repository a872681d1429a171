/* Floats of eight bits: of what they hold once converted, and of what they are converted to, nothing is known. */
#ifndef LOCKSTEP_CUDA_FP8
#define LOCKSTEP_CUDA_FP8
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "lockstep/any.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define __LOCKSTEP_TO(NAME, T)                                                                                       \
    __LOCKSTEP_BOTH __nv_fp8_storage_t NAME(T, __nv_saturation_t, __nv_fp8_interpretation_t) {                       \
        return __lockstep_any_as<__nv_fp8_storage_t>::value();                                                       \
    }
#define __LOCKSTEP_TO2(NAME, T)                                                                                      \
    __LOCKSTEP_BOTH __nv_fp8x2_storage_t NAME(T, __nv_saturation_t, __nv_fp8_interpretation_t) {                     \
        return __lockstep_any_as<__nv_fp8x2_storage_t>::value();                                                     \
    }
__LOCKSTEP_TO(__nv_cvt_float_to_fp8, float)
__LOCKSTEP_TO(__nv_cvt_double_to_fp8, double)
__LOCKSTEP_TO(__nv_cvt_halfraw_to_fp8, __half_raw)
__LOCKSTEP_TO(__nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw)
__LOCKSTEP_TO2(__nv_cvt_float2_to_fp8x2, float2)
__LOCKSTEP_TO2(__nv_cvt_double2_to_fp8x2, double2)
__LOCKSTEP_TO2(__nv_cvt_halfraw2_to_fp8x2, __half2_raw)
__LOCKSTEP_TO2(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw)
#undef __LOCKSTEP_TO
#undef __LOCKSTEP_TO2
__LOCKSTEP_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t) {
    return {__lockstep_any_as<unsigned short>::value()};
}
__LOCKSTEP_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t) {
    return {__lockstep_any_as<unsigned short>::value(), __lockstep_any_as<unsigned short>::value()};
}

#define __LOCKSTEP_FP8(NAME)                                                                                         \
    struct __nv_fp8_##NAME {                                                                                         \
        __nv_fp8_storage_t __x;                                                                                      \
        __nv_fp8_##NAME() = default;                                                                                 \
        template <class A> __LOCKSTEP_OF_BOTH explicit __nv_fp8_##NAME(const A &)                                    \
            : __x(__lockstep_any_as<__nv_fp8_storage_t>::value()) {}                                                 \
        __LOCKSTEP_OF_BOTH explicit operator float() const { return __lockstep_any_as<float>::value(); }             \
        __LOCKSTEP_OF_BOTH explicit operator double() const { return __lockstep_any_as<float>::value(); }            \
        __LOCKSTEP_OF_BOTH explicit operator __half() const { return __lockstep_any_as<float>::value(); }            \
        __LOCKSTEP_OF_BOTH explicit operator __nv_bfloat16() const { return __lockstep_any_as<float>::value(); }     \
        __LOCKSTEP_OF_BOTH explicit operator int() const { return __lockstep_any_as<int>::value(); }                 \
        __LOCKSTEP_OF_BOTH explicit operator bool() const { return __lockstep_any_as<int>::value() != 0; }           \
    };                                                                                                               \
    struct __attribute__((aligned(2))) __nv_fp8x2_##NAME {                                                           \
        __nv_fp8x2_storage_t __x;                                                                                    \
        __nv_fp8x2_##NAME() = default;                                                                               \
        template <class A> __LOCKSTEP_OF_BOTH explicit __nv_fp8x2_##NAME(const A &)                                  \
            : __x(__lockstep_any_as<__nv_fp8x2_storage_t>::value()) {}                                               \
        __LOCKSTEP_OF_BOTH explicit operator float2() const {                                                        \
            return {__lockstep_any_as<float>::value(), __lockstep_any_as<float>::value()};                           \
        }                                                                                                            \
        __LOCKSTEP_OF_BOTH explicit operator __half2() const {                                                       \
            return {__lockstep_any_as<float>::value(), __lockstep_any_as<float>::value()};                           \
        }                                                                                                            \
    };                                                                                                               \
    struct __attribute__((aligned(4))) __nv_fp8x4_##NAME {                                                           \
        __nv_fp8x4_storage_t __x;                                                                                    \
        __nv_fp8x4_##NAME() = default;                                                                               \
        template <class A, class... B> __LOCKSTEP_OF_BOTH explicit __nv_fp8x4_##NAME(const A &, const B &...)        \
            : __x(__lockstep_any_as<__nv_fp8x4_storage_t>::value()) {}                                               \
        __LOCKSTEP_OF_BOTH explicit operator float4() const {                                                        \
            return {__lockstep_any_as<float>::value(), __lockstep_any_as<float>::value(),                            \
                    __lockstep_any_as<float>::value(), __lockstep_any_as<float>::value()};                           \
        }                                                                                                            \
    };
__LOCKSTEP_FP8(e4m3)
__LOCKSTEP_FP8(e5m2)
#undef __LOCKSTEP_FP8

#endif
