/* Functions on integers, casts of bits, conversions that name their rounding, accesses that name a cache. */
#ifndef LOCKSTEP_DEVICE_FUNCTIONS
#define LOCKSTEP_DEVICE_FUNCTIONS
#pragma clang system_header
#include "lockstep/any.h"

/* --- Integers --------------------------------------------------------------------------------------------- */
__LOCKSTEP_DEVICE int __clz(int), __clzll(long long), __ffs(int), __ffsll(long long), __popc(unsigned int),
    __popcll(unsigned long long), __mul24(int, int), __mulhi(int, int), __hadd(int, int), __rhadd(int, int);
__LOCKSTEP_DEVICE unsigned int __brev(unsigned int), __fns(unsigned int mask, unsigned int base, int offset),
    __byte_perm(unsigned int, unsigned int, unsigned int selector),
    __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift),
    __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift),
    __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift),
    __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift), __umul24(unsigned int, unsigned int),
    __umulhi(unsigned int, unsigned int), __sad(int, int, unsigned int),
    __usad(unsigned int, unsigned int, unsigned int), __uhadd(unsigned int, unsigned int),
    __urhadd(unsigned int, unsigned int);
__LOCKSTEP_DEVICE long long __mul64hi(long long, long long);
__LOCKSTEP_DEVICE unsigned long long __brevll(unsigned long long), __umul64hi(unsigned long long, unsigned long long);

#define __LOCKSTEP_DOT(NAME, SHORT2, CHAR4, T)                                                                       \
    __LOCKSTEP_DEVICE T NAME(T, T, T);                                                                               \
    __LOCKSTEP_INLINE T NAME(SHORT2 a, CHAR4 b, T c) {                                                               \
        return NAME(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), c);                                          \
    }
__LOCKSTEP_DOT(__dp2a_lo, short2, char4, int)
__LOCKSTEP_DOT(__dp2a_hi, short2, char4, int)
__LOCKSTEP_DOT(__dp4a, char4, char4, int)
__LOCKSTEP_DOT(__dp2a_lo, ushort2, uchar4, unsigned int)
__LOCKSTEP_DOT(__dp2a_hi, ushort2, uchar4, unsigned int)
__LOCKSTEP_DOT(__dp4a, uchar4, uchar4, unsigned int)

/* Two or four small integers in a word. */
#define __LOCKSTEP_SMALL1(NAME) NAME##2(unsigned int), NAME##4(unsigned int)
#define __LOCKSTEP_SMALL2(NAME) NAME##2(unsigned int, unsigned int), NAME##4(unsigned int, unsigned int)
#define __LOCKSTEP_SMALL_BOTH(NAME) __LOCKSTEP_SMALL2(NAME##s), __LOCKSTEP_SMALL2(NAME##u)
#define __LOCKSTEP_SMALL_COMPARE(NAME)                                                                               \
    __LOCKSTEP_SMALL2(NAME##eq), __LOCKSTEP_SMALL2(NAME##ne), __LOCKSTEP_SMALL_BOTH(NAME##ge),                       \
        __LOCKSTEP_SMALL_BOTH(NAME##gt), __LOCKSTEP_SMALL_BOTH(NAME##le), __LOCKSTEP_SMALL_BOTH(NAME##lt)
__LOCKSTEP_DEVICE unsigned int __LOCKSTEP_SMALL1(__vabs), __LOCKSTEP_SMALL1(__vabsss), __LOCKSTEP_SMALL1(__vneg),
    __LOCKSTEP_SMALL1(__vnegss), __LOCKSTEP_SMALL2(__vadd), __LOCKSTEP_SMALL2(__vaddss), __LOCKSTEP_SMALL2(__vaddus),
    __LOCKSTEP_SMALL2(__vsub), __LOCKSTEP_SMALL2(__vsubss), __LOCKSTEP_SMALL2(__vsubus), __LOCKSTEP_SMALL2(__vhaddu),
    __LOCKSTEP_SMALL_BOTH(__vabsdiff), __LOCKSTEP_SMALL_BOTH(__vavg), __LOCKSTEP_SMALL_BOTH(__vmax),
    __LOCKSTEP_SMALL_BOTH(__vmin), __LOCKSTEP_SMALL_BOTH(__vsad), __LOCKSTEP_SMALL_COMPARE(__vcmp),
    __LOCKSTEP_SMALL_COMPARE(__vset);

/* The smaller and the larger, with the types that `?:` gives. */
#define __LOCKSTEP_EXTREMES(A, B) min(A, B), max(A, B)
#define __LOCKSTEP_INTEGER_EXTREMES(T)                                                                               \
    __LOCKSTEP_OF_COMPILER T __LOCKSTEP_EXTREMES(T, T);                                                                 \
    __LOCKSTEP_OF_COMPILER unsigned T __LOCKSTEP_EXTREMES(unsigned T, unsigned T),                                      \
        __LOCKSTEP_EXTREMES(T, unsigned T), __LOCKSTEP_EXTREMES(unsigned T, T);
__LOCKSTEP_INTEGER_EXTREMES(int)
__LOCKSTEP_INTEGER_EXTREMES(long)
__LOCKSTEP_INTEGER_EXTREMES(long long)
__LOCKSTEP_OF_COMPILER unsigned int umin(unsigned int, unsigned int), umax(unsigned int, unsigned int);
__LOCKSTEP_OF_COMPILER long long llmin(long long, long long), llmax(long long, long long);
__LOCKSTEP_OF_COMPILER unsigned long long ullmin(unsigned long long, unsigned long long),
    ullmax(unsigned long long, unsigned long long);

__LOCKSTEP_C int abs(int) noexcept;
__LOCKSTEP_C long labs(long) noexcept;
__LOCKSTEP_C long long llabs(long long) noexcept;
__LOCKSTEP_DEVICE int abs(int);
__LOCKSTEP_DEVICE long abs(long), labs(long);
__LOCKSTEP_DEVICE long long abs(long long), llabs(long long);

/* --- Bits of one type as another -------------------------------------------------------------------------- */
__LOCKSTEP_DEVICE int __float_as_int(float), __double2hiint(double), __double2loint(double);
__LOCKSTEP_DEVICE unsigned int __float_as_uint(float);
__LOCKSTEP_DEVICE float __int_as_float(int), __uint_as_float(unsigned int);
__LOCKSTEP_DEVICE long long __double_as_longlong(double);
__LOCKSTEP_DEVICE double __longlong_as_double(long long), __hiloint2double(int high, int low);

/* --- Conversions: to nearest even, towards zero, up, down ------------------------------------------------- */
#define __LOCKSTEP_ROUNDED(NAME, T) NAME##_rn(T), NAME##_rz(T), NAME##_ru(T), NAME##_rd(T)
#define __LOCKSTEP_FROM_FLOATS(NAME)                                                                                 \
    __LOCKSTEP_ROUNDED(__float2##NAME, float), __LOCKSTEP_ROUNDED(__double2##NAME, double)
__LOCKSTEP_DEVICE int __LOCKSTEP_FROM_FLOATS(int);
__LOCKSTEP_DEVICE unsigned int __LOCKSTEP_FROM_FLOATS(uint);
__LOCKSTEP_DEVICE long long __LOCKSTEP_FROM_FLOATS(ll);
__LOCKSTEP_DEVICE unsigned long long __LOCKSTEP_FROM_FLOATS(ull);
__LOCKSTEP_DEVICE float __LOCKSTEP_ROUNDED(__double2float, double), __LOCKSTEP_ROUNDED(__int2float, int),
    __LOCKSTEP_ROUNDED(__uint2float, unsigned int), __LOCKSTEP_ROUNDED(__ll2float, long long),
    __LOCKSTEP_ROUNDED(__ull2float, unsigned long long);
__LOCKSTEP_DEVICE double __LOCKSTEP_ROUNDED(__ll2double, long long),
    __LOCKSTEP_ROUNDED(__ull2double, unsigned long long), __int2double_rn(int), __uint2double_rn(unsigned int);

/* --- Accesses that name a cache --------------------------------------------------------------------------- */
template <class T> struct __lockstep_same { typedef T type; };
#define __LOCKSTEP_HINTED_LOAD(NAME)                                                                                 \
    template <class T> __LOCKSTEP_INLINE T NAME(const T *pointer) { return *pointer; }
#define __LOCKSTEP_HINTED_STORE(NAME)                                                                                \
    template <class T> __LOCKSTEP_INLINE void NAME(T *pointer, typename __lockstep_same<T>::type value) {            \
        *pointer = value;                                                                                            \
    }
template <class T> __LOCKSTEP_INLINE T __ldg(const T *pointer) { return __lockstep_load_cached(pointer); }
__LOCKSTEP_HINTED_LOAD(__ldca)
__LOCKSTEP_HINTED_LOAD(__ldcg)
__LOCKSTEP_HINTED_LOAD(__ldcs)
__LOCKSTEP_HINTED_LOAD(__ldcv)
__LOCKSTEP_HINTED_LOAD(__ldlu)
__LOCKSTEP_HINTED_STORE(__stcg)
__LOCKSTEP_HINTED_STORE(__stcs)
__LOCKSTEP_HINTED_STORE(__stwb)
__LOCKSTEP_HINTED_STORE(__stwt)

/* --- Others ----------------------------------------------------------------------------------------------- */
__LOCKSTEP_DEVICE long clock();
__LOCKSTEP_DEVICE long long clock64();
__LOCKSTEP_DEVICE unsigned long long __globaltimer();
__LOCKSTEP_INLINE void __trap() { __builtin_trap(); }
__LOCKSTEP_INLINE void __brkpt() {}
__LOCKSTEP_INLINE void __prof_trigger(int) {}
__LOCKSTEP_INLINE unsigned int __isGlobal(const void *pointer) { return __nvvm_isspacep_global(pointer); }
__LOCKSTEP_INLINE unsigned int __isShared(const void *pointer) { return __nvvm_isspacep_shared(pointer); }
__LOCKSTEP_INLINE unsigned int __isConstant(const void *pointer) { return __nvvm_isspacep_const(pointer); }
__LOCKSTEP_INLINE unsigned int __isLocal(const void *pointer) { return __nvvm_isspacep_local(pointer); }
#define __LOCKSTEP_ADDRESS(NAME, SPACE)                                                                              \
    __LOCKSTEP_INLINE size_t __cvta_generic_to_##NAME(const void *pointer) {                                         \
        return (size_t)(const __attribute__((address_space(SPACE))) void *)pointer;                                  \
    }
__LOCKSTEP_ADDRESS(global, 1)
__LOCKSTEP_ADDRESS(shared, 3)
__LOCKSTEP_ADDRESS(constant, 4)
__LOCKSTEP_ADDRESS(local, 5)

#endif
