/* Functions of floats under their names in C and C++, and the intrinsics.

   A name of the C library is declared for the device with an overload for float, and for the host as the library's own
   header does. An argument of an integer type counts as a double, as in C++. */
#ifndef LOCKSTEP_MATHEMATICS
#define LOCKSTEP_MATHEMATICS
#pragma clang system_header

/* --- The C library's -------------------------------------------------------------------------------------- */
#define __LOCKSTEP_LIBRARY1(_)                                                                                       \
    _(acos) _(acosh) _(asin) _(asinh) _(atan) _(atanh) _(cbrt) _(ceil) _(cos) _(cosh) _(erf) _(erfc) _(exp) _(exp10) \
    _(exp2) _(expm1) _(fabs) _(floor) _(j0) _(j1) _(lgamma) _(log) _(log10) _(log1p) _(log2) _(logb) _(nearbyint)    \
    _(rint) _(round) _(sin) _(sinh) _(sqrt) _(tan) _(tanh) _(tgamma) _(trunc) _(y0) _(y1)
#define __LOCKSTEP_LIBRARY2(_)                                                                                       \
    _(atan2) _(copysign) _(fdim) _(fmax) _(fmin) _(fmod) _(hypot) _(nextafter) _(pow) _(remainder)

/* For the host only what is likely to be called without <math.h>. */
#define __LOCKSTEP_HOST1(_)                                                                                          \
    _(acos) _(asin) _(atan) _(ceil) _(cos) _(cosh) _(exp) _(exp2) _(fabs) _(floor) _(log) _(log10) _(log2) _(round)  \
    _(sin) _(sinh) _(sqrt) _(tan) _(tanh) _(trunc)
#define __LOCKSTEP_HOST2(_) _(atan2) _(fmax) _(fmin) _(fmod) _(hypot) _(pow)
#define __LOCKSTEP_1(NAME) , NAME(double) noexcept
#define __LOCKSTEP_2(NAME) , NAME(double, double) noexcept
__LOCKSTEP_C double fma(double, double, double) noexcept __LOCKSTEP_HOST1(__LOCKSTEP_1) __LOCKSTEP_HOST2(__LOCKSTEP_2);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_2
#define __LOCKSTEP_1(NAME) , NAME##f(float) noexcept
#define __LOCKSTEP_2(NAME) , NAME##f(float, float) noexcept
__LOCKSTEP_C float fmaf(float, float, float) noexcept __LOCKSTEP_HOST1(__LOCKSTEP_1) __LOCKSTEP_HOST2(__LOCKSTEP_2);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_2

#define __LOCKSTEP_1(NAME) , NAME(double)
#define __LOCKSTEP_2(NAME) , NAME(double, double)
__LOCKSTEP_DEVICE double abs(double) __LOCKSTEP_LIBRARY1(__LOCKSTEP_1) __LOCKSTEP_LIBRARY2(__LOCKSTEP_2),
    fma(double, double, double), ldexp(double, int), scalbn(double, int), scalbln(double, long), frexp(double, int *),
    modf(double, double *), remquo(double, double, int *), jn(int, double), yn(int, double), nan(const char *);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_2
#define __LOCKSTEP_1(NAME) , NAME(float), NAME##f(float)
#define __LOCKSTEP_2(NAME) , NAME(float, float), NAME##f(float, float)
__LOCKSTEP_DEVICE float abs(float) __LOCKSTEP_LIBRARY1(__LOCKSTEP_1) __LOCKSTEP_LIBRARY2(__LOCKSTEP_2),
    fma(float, float, float), fmaf(float, float, float), ldexp(float, int), ldexpf(float, int), scalbn(float, int),
    scalbnf(float, int), scalbln(float, long), scalblnf(float, long), frexp(float, int *), frexpf(float, int *),
    modf(float, float *), modff(float, float *), remquo(float, float, int *), remquof(float, float, int *),
    jnf(int, float), ynf(int, float), nanf(const char *);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_2
__LOCKSTEP_DEVICE int ilogb(double), ilogb(float), ilogbf(float);
__LOCKSTEP_DEVICE long lrint(double), lrint(float), lrintf(float), lround(double), lround(float), lroundf(float);
__LOCKSTEP_DEVICE long long llrint(double), llrint(float), llrintf(float), llround(double), llround(float),
    llroundf(float);
__LOCKSTEP_DEVICE void sincos(double, double *, double *), sincos(float, float *, float *),
    sincosf(float, float *, float *);

#define __LOCKSTEP_KIND(_) _(isnan) _(isinf) _(isfinite) _(isnormal) _(signbit)
#define __LOCKSTEP_1(NAME) , NAME(double), NAME(float)
#define __LOCKSTEP_2(NAME) NAME(double, double), NAME(float, float)
__LOCKSTEP_DEVICE bool __LOCKSTEP_2(isunordered) __LOCKSTEP_KIND(__LOCKSTEP_1), __LOCKSTEP_2(isgreater),
    __LOCKSTEP_2(isgreaterequal), __LOCKSTEP_2(isless), __LOCKSTEP_2(islessequal), __LOCKSTEP_2(islessgreater);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_2

/* Of integers. */
template <bool> struct __lockstep_if;
template <> struct __lockstep_if<true> { typedef double as_double; typedef bool as_bool; };
#define __LOCKSTEP_INTEGER __lockstep_if<__is_integral(T)>
#define __LOCKSTEP_MIXED                                                                                             \
    __lockstep_if<__is_arithmetic(T) && __is_arithmetic(U) && !(__is_floating_point(T) && __is_same(T, U))>
#define __LOCKSTEP_1(NAME)                                                                                           \
    template <class T> __LOCKSTEP_INLINE typename __LOCKSTEP_INTEGER::as_double NAME(T x) {                          \
        return NAME((typename __LOCKSTEP_INTEGER::as_double)x);                                                      \
    }
__LOCKSTEP_LIBRARY1(__LOCKSTEP_1)
#undef __LOCKSTEP_1
#define __LOCKSTEP_1(NAME)                                                                                           \
    template <class T> __LOCKSTEP_INLINE typename __LOCKSTEP_INTEGER::as_bool NAME(T x) {                            \
        return NAME((typename __LOCKSTEP_INTEGER::as_double)x);                                                      \
    }
__LOCKSTEP_KIND(__LOCKSTEP_1)
#undef __LOCKSTEP_1
#define __LOCKSTEP_2(NAME)                                                                                           \
    template <class T, class U> __LOCKSTEP_INLINE typename __LOCKSTEP_MIXED::as_double NAME(T x, U y) {              \
        return NAME((typename __LOCKSTEP_MIXED::as_double)x, (typename __LOCKSTEP_MIXED::as_double)y);               \
    }
__LOCKSTEP_LIBRARY2(__LOCKSTEP_2)
#undef __LOCKSTEP_2

/* --- CUDA's own, for the host too ------------------------------------------------------------------------- */
#define __LOCKSTEP_OWN1(_)                                                                                           \
    _(cyl_bessel_i0) _(cyl_bessel_i1) _(erfcinv) _(erfcx) _(erfinv) _(normcdf) _(normcdfinv) _(rcbrt)
#define __LOCKSTEP_1(NAME) , NAME(double)
#define __LOCKSTEP_NORM(NAME)                                                                                        \
    NAME##3d(double, double, double), NAME##4d(double, double, double, double), NAME(int, const double *)
__LOCKSTEP_OF_COMPILER double rhypot(double, double) __LOCKSTEP_OWN1(__LOCKSTEP_1), fdivide(double, double),
    powi(double, int), __LOCKSTEP_NORM(norm), __LOCKSTEP_NORM(rnorm), __LOCKSTEP_EXTREMES(double, double),
    __LOCKSTEP_EXTREMES(float, double), __LOCKSTEP_EXTREMES(double, float);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_NORM
#define __LOCKSTEP_1(NAME) , NAME(float), NAME##f(float)
#define __LOCKSTEP_NORM(NAME)                                                                                        \
    NAME##3df(float, float, float), NAME##4df(float, float, float, float), NAME##f(int, const float *)
__LOCKSTEP_OF_COMPILER float rhypot(float, float), rhypotf(float, float) __LOCKSTEP_OWN1(__LOCKSTEP_1),
    fdividef(float, float), powi(float, int), powif(float, int), __LOCKSTEP_NORM(norm), __LOCKSTEP_NORM(rnorm),
    __LOCKSTEP_EXTREMES(float, float);
#undef __LOCKSTEP_1
#undef __LOCKSTEP_NORM
/* C23 has these too: a C library that knows them declares them for the host. */
#ifndef __LOCKSTEP_PLAIN_HOST
__LOCKSTEP_C double cospi(double) noexcept, rsqrt(double) noexcept, sinpi(double) noexcept;
__LOCKSTEP_C float cospif(float) noexcept, rsqrtf(float) noexcept, sinpif(float) noexcept;
float cospi(float), rsqrt(float), sinpi(float);
#endif
__LOCKSTEP_DEVICE double cospi(double), rsqrt(double), sinpi(double);
__LOCKSTEP_DEVICE float cospi(float), cospif(float), rsqrt(float), rsqrtf(float), sinpi(float), sinpif(float);
__LOCKSTEP_OF_COMPILER void sincospi(double, double *, double *), sincospi(float, float *, float *),
    sincospif(float, float *, float *);

/* --- Intrinsics ------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_ROUNDING(NAME, ...)                                                                               \
    NAME##_rn(__VA_ARGS__), NAME##_rz(__VA_ARGS__), NAME##_ru(__VA_ARGS__), NAME##_rd(__VA_ARGS__)
__LOCKSTEP_DEVICE float __cosf(float), __exp10f(float), __expf(float), __log10f(float), __log2f(float), __logf(float),
    __saturatef(float), __sinf(float), __tanf(float), __fdividef(float, float), __powf(float, float),
    __frsqrt_rn(float), __LOCKSTEP_ROUNDING(__fadd, float, float), __LOCKSTEP_ROUNDING(__fsub, float, float),
    __LOCKSTEP_ROUNDING(__fmul, float, float), __LOCKSTEP_ROUNDING(__fdiv, float, float),
    __LOCKSTEP_ROUNDING(__fmaf, float, float, float), __LOCKSTEP_ROUNDING(__fmaf_ieee, float, float, float),
    __LOCKSTEP_ROUNDING(__frcp, float), __LOCKSTEP_ROUNDING(__fsqrt, float);
__LOCKSTEP_DEVICE double __LOCKSTEP_ROUNDING(__dadd, double, double), __LOCKSTEP_ROUNDING(__dsub, double, double),
    __LOCKSTEP_ROUNDING(__dmul, double, double), __LOCKSTEP_ROUNDING(__ddiv, double, double),
    __LOCKSTEP_ROUNDING(__fma, double, double, double), __LOCKSTEP_ROUNDING(__drcp, double),
    __LOCKSTEP_ROUNDING(__dsqrt, double);
__LOCKSTEP_DEVICE void __sincosf(float, float *, float *);

#endif
