/* Complex numbers as pairs. */
#ifndef LOCKSTEP_CU_COMPLEX
#define LOCKSTEP_CU_COMPLEX
#pragma clang system_header
#include "lockstep/any.h"

#define __LOCKSTEP_COMPLEX(T, C, V, F)                                                                               \
    typedef V C;                                                                                                     \
    __LOCKSTEP_BOTH C make_##C(T x, T y) { return {x, y}; }                                                          \
    __LOCKSTEP_BOTH T cuCreal##F(C a) { return a.x; }                                                                \
    __LOCKSTEP_BOTH T cuCimag##F(C a) { return a.y; }                                                                \
    __LOCKSTEP_BOTH C cuConj##F(C a) { return {a.x, -a.y}; }                                                         \
    __LOCKSTEP_BOTH C cuCadd##F(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                         \
    __LOCKSTEP_BOTH C cuCsub##F(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                         \
    __LOCKSTEP_BOTH C cuCmul##F(C a, C b) {                                                                          \
        return {__lockstep_computed(a.x * b.x - a.y * b.y), __lockstep_computed(a.x * b.y + a.y * b.x)};             \
    }                                                                                                                \
    __LOCKSTEP_BOTH C cuCdiv##F(C a, C b) {                                                                          \
        T norm = b.x * b.x + b.y * b.y;                                                                              \
        return {__lockstep_computed((a.x * b.x + a.y * b.y) / norm),                                                 \
                __lockstep_computed((a.y * b.x - a.x * b.y) / norm)};                                                \
    }                                                                                                                \
    __LOCKSTEP_BOTH C cuCfma##F(C a, C b, C c) { return cuCadd##F(cuCmul##F(a, b), c); }                             \
    __LOCKSTEP_BOTH T cuCabs##F(C a) { return __lockstep_computed(hypot##F(a.x, a.y)); }
__LOCKSTEP_COMPLEX(float, cuFloatComplex, float2, f)
__LOCKSTEP_COMPLEX(double, cuDoubleComplex, double2, )
typedef cuFloatComplex cuComplex;
__LOCKSTEP_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
__LOCKSTEP_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
__LOCKSTEP_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }

#endif
