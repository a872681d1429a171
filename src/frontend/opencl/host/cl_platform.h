/* The types of OpenCL's host API, for Lockstep: sizes are all that counts here. */
#ifndef __CL_PLATFORM_H
#define __CL_PLATFORM_H
#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_API_ENTRY
#define CL_API_CALL
#define CL_CALLBACK
#define CL_API_SUFFIX__VERSION_1_0
#define CL_API_SUFFIX__VERSION_1_1
#define CL_API_SUFFIX__VERSION_1_2
#define CL_API_SUFFIX__VERSION_2_0
#define CL_API_SUFFIX__VERSION_2_1
#define CL_API_SUFFIX__VERSION_2_2
#define CL_API_SUFFIX__VERSION_3_0
#define CL_EXT_SUFFIX__VERSION_1_0
#define CL_EXT_SUFFIX__VERSION_1_1
#define CL_EXT_SUFFIX__VERSION_1_2
#define CL_EXTENSION_WEAK_LINK

typedef int8_t cl_char;
typedef uint8_t cl_uchar;
typedef int16_t cl_short;
typedef uint16_t cl_ushort;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef int64_t cl_long;
typedef uint64_t cl_ulong;
typedef uint16_t cl_half;
typedef float cl_float;
typedef double cl_double;
typedef unsigned int cl_GLuint;
typedef int cl_GLint;
typedef unsigned int cl_GLenum;

#define CL_CHAR_BIT 8
#define CL_SCHAR_MAX 127
#define CL_SCHAR_MIN (-127 - 1)
#define CL_CHAR_MAX CL_SCHAR_MAX
#define CL_CHAR_MIN CL_SCHAR_MIN
#define CL_UCHAR_MAX 255
#define CL_SHRT_MAX 32767
#define CL_SHRT_MIN (-32767 - 1)
#define CL_USHRT_MAX 65535
#define CL_INT_MAX 2147483647
#define CL_INT_MIN (-2147483647 - 1)
#define CL_UINT_MAX 0xffffffffU
#define CL_LONG_MAX ((cl_long)0x7FFFFFFFFFFFFFFFLL)
#define CL_LONG_MIN ((cl_long)-0x7FFFFFFFFFFFFFFFLL - 1LL)
#define CL_ULONG_MAX ((cl_ulong)0xFFFFFFFFFFFFFFFFULL)
#define CL_FLT_DIG 6
#define CL_FLT_MAX 340282346638528859811704183484516925440.0f
#define CL_FLT_MIN 1.175494350822287507969e-38f
#define CL_FLT_EPSILON 1.1920928955078125e-7f
#define CL_DBL_MAX 1.7976931348623158e+308
#define CL_DBL_MIN 2.225073858507201383090e-308
#define CL_DBL_EPSILON 2.220446049250313080847e-16
#define CL_MAXFLOAT CL_FLT_MAX
#define CL_INFINITY __builtin_inff()
#define CL_HUGE_VALF __builtin_inff()
#define CL_HUGE_VAL __builtin_inf()
#define CL_NAN __builtin_nanf("")
#define CL_M_PI 3.14159265358979323846
#define CL_M_PI_F 3.14159265358979323846f
#define CL_M_E 2.7182818284590452354
#define CL_M_SQRT2 1.41421356237309504880

/* A vector: components by number, by letter, and by half. */
#define __LOCKSTEP_VECTOR2(type)                    \
    typedef union {                                 \
        type s[2] __attribute__((aligned(2 * sizeof(type)))); \
        struct { type x, y; };                      \
        struct { type s0, s1; };                    \
        struct { type lo, hi; };                    \
    } type##2;
#define __LOCKSTEP_VECTOR4(type)                    \
    typedef union {                                 \
        type s[4] __attribute__((aligned(4 * sizeof(type)))); \
        struct { type x, y, z, w; };                \
        struct { type s0, s1, s2, s3; };            \
        struct { type##2 lo, hi; };                 \
    } type##4;                                      \
    typedef type##4 type##3;
#define __LOCKSTEP_VECTOR8(type)                    \
    typedef union {                                 \
        type s[8] __attribute__((aligned(8 * sizeof(type)))); \
        struct { type x, y, z, w; };                \
        struct { type s0, s1, s2, s3, s4, s5, s6, s7; }; \
        struct { type##4 lo, hi; };                 \
    } type##8;
#define __LOCKSTEP_VECTOR16(type)                   \
    typedef union {                                 \
        type s[16] __attribute__((aligned(16 * sizeof(type)))); \
        struct { type x, y, z, w; };                \
        struct { type s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sA, sB, sC, sD, sE, sF; }; \
        struct { type##8 lo, hi; };                 \
    } type##16;
#define __LOCKSTEP_VECTORS(type) \
    __LOCKSTEP_VECTOR2(type) __LOCKSTEP_VECTOR4(type) __LOCKSTEP_VECTOR8(type) __LOCKSTEP_VECTOR16(type)
__LOCKSTEP_VECTORS(cl_char)
__LOCKSTEP_VECTORS(cl_uchar)
__LOCKSTEP_VECTORS(cl_short)
__LOCKSTEP_VECTORS(cl_ushort)
__LOCKSTEP_VECTORS(cl_int)
__LOCKSTEP_VECTORS(cl_uint)
__LOCKSTEP_VECTORS(cl_long)
__LOCKSTEP_VECTORS(cl_ulong)
__LOCKSTEP_VECTORS(cl_float)
__LOCKSTEP_VECTORS(cl_double)
#endif
