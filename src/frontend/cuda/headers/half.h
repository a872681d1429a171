/* Short floats: cuda_fp16.h and cuda_bf16.h include this with the type's names in
   __LOCKSTEP_T (`__half`), __LOCKSTEP_T2 (`__half2`), __LOCKSTEP_TRAW (`__half_raw`), __LOCKSTEP_T2RAW, __LOCKSTEP_F (Clang's type),
   and what the names of functions have of them: __LOCKSTEP_H(a, b) is `a half b`, __LOCKSTEP_HH(a, b, c) is `a half b half c`.

   Arithmetic is Clang's of its own type, functions are those of float. */
#pragma clang system_header

struct __LOCKSTEP_TRAW { unsigned short x; };
struct __attribute__((aligned(4))) __LOCKSTEP_T2RAW { unsigned short x, y; };
struct __attribute__((aligned(2))) __LOCKSTEP_T {
    __LOCKSTEP_F __x;
    __LOCKSTEP_T() = default;
    template <class A, class = typename __lockstep_if<__is_arithmetic(A)>::as_double>
    __LOCKSTEP_OF_BOTH constexpr __LOCKSTEP_T(A a) : __x((__LOCKSTEP_F)a) {}
    __LOCKSTEP_OF_BOTH constexpr __LOCKSTEP_T(__LOCKSTEP_F a) : __x(a) {}
    __LOCKSTEP_OF_BOTH constexpr __LOCKSTEP_T(const __LOCKSTEP_TRAW &raw) : __x(__builtin_bit_cast(__LOCKSTEP_F, raw.x)) {}
    __LOCKSTEP_OF_BOTH constexpr operator float() const { return (float)__x; }
    __LOCKSTEP_OF_BOTH operator __LOCKSTEP_TRAW() const { return {__builtin_bit_cast(unsigned short, __x)}; }
};
struct __attribute__((aligned(4))) __LOCKSTEP_T2 {
    __LOCKSTEP_T x, y;
    __LOCKSTEP_T2() = default;
    __LOCKSTEP_OF_BOTH constexpr __LOCKSTEP_T2(const __LOCKSTEP_T &x, const __LOCKSTEP_T &y) : x(x), y(y) {}
    __LOCKSTEP_OF_BOTH constexpr __LOCKSTEP_T2(const __LOCKSTEP_T2RAW &raw)
        : x(__LOCKSTEP_TRAW{raw.x}), y(__LOCKSTEP_TRAW{raw.y}) {}
    __LOCKSTEP_OF_BOTH operator __LOCKSTEP_T2RAW() const {
        return {__builtin_bit_cast(unsigned short, x), __builtin_bit_cast(unsigned short, y)};
    }
};

/* --- Conversions ------------------------------------------------------------------------------------------ */
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__float2, )(float a) { return a; }
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__double2, )(double a) { return a; }
__LOCKSTEP_BOTH float __LOCKSTEP_H(__, 2float)(__LOCKSTEP_T a) { return a; }
/* Of the roundings, to nearest even and for integers towards zero are those of a cast. The others come as floats that a cast
   leaves as they are. */
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__float2, _rn)(float a) { return a; }
#define __LOCKSTEP_1(R)                                                                                              \
    __LOCKSTEP_DEVICE float __LOCKSTEP_H(__lockstep_, R)(float), __LOCKSTEP_H(__lockstep_, R)(long long),            \
        __LOCKSTEP_H(__lockstep_, R)(unsigned long long);                                                            \
    __LOCKSTEP_INLINE __LOCKSTEP_T __LOCKSTEP_H(__float2, R)(float a) { return __LOCKSTEP_H(__lockstep_, R)(a); }
__LOCKSTEP_1(_rz)
__LOCKSTEP_1(_ru)
__LOCKSTEP_1(_rd)
#undef __LOCKSTEP_1
#define __LOCKSTEP_1(NAME, FLOAT, I, W)                                                                                 \
    __LOCKSTEP_BOTH I __LOCKSTEP_H(__, 2##NAME##_rz)(__LOCKSTEP_T a) { return (I)(float)a; }                         \
    __LOCKSTEP_INLINE I __LOCKSTEP_H(__, 2##NAME##_rn)(__LOCKSTEP_T a) { return __float2##FLOAT##_rn(a); }           \
    __LOCKSTEP_INLINE I __LOCKSTEP_H(__, 2##NAME##_ru)(__LOCKSTEP_T a) { return __float2##FLOAT##_ru(a); }           \
    __LOCKSTEP_INLINE I __LOCKSTEP_H(__, 2##NAME##_rd)(__LOCKSTEP_T a) { return __float2##FLOAT##_rd(a); }           \
    __LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__##NAME##2, _rn)(I a) { return a; }                                   \
    __LOCKSTEP_INLINE __LOCKSTEP_T __LOCKSTEP_H(__##NAME##2, _rz)(I a) { return __LOCKSTEP_H(__lockstep_, _rz)((W)a); } \
    __LOCKSTEP_INLINE __LOCKSTEP_T __LOCKSTEP_H(__##NAME##2, _ru)(I a) { return __LOCKSTEP_H(__lockstep_, _ru)((W)a); } \
    __LOCKSTEP_INLINE __LOCKSTEP_T __LOCKSTEP_H(__##NAME##2, _rd)(I a) { return __LOCKSTEP_H(__lockstep_, _rd)((W)a); }
__LOCKSTEP_1(int, int, int, long long)
__LOCKSTEP_1(uint, uint, unsigned int, long long)
__LOCKSTEP_1(short, int, short, long long)
__LOCKSTEP_1(ushort, uint, unsigned short, long long)
__LOCKSTEP_1(ll, ll, long long, long long)
__LOCKSTEP_1(ull, ull, unsigned long long, unsigned long long)
#undef __LOCKSTEP_1
__LOCKSTEP_BOTH short __LOCKSTEP_H(__, _as_short)(__LOCKSTEP_T a) { return __builtin_bit_cast(short, a); }
__LOCKSTEP_BOTH unsigned short __LOCKSTEP_H(__, _as_ushort)(__LOCKSTEP_T a) { return __builtin_bit_cast(unsigned short, a); }
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__short_as_, )(short a) { return __builtin_bit_cast(__LOCKSTEP_F, a); }
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__ushort_as_, )(unsigned short a) { return __builtin_bit_cast(__LOCKSTEP_F, a); }

__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(make_, 2)(__LOCKSTEP_T x, __LOCKSTEP_T y) { return {x, y}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__halves2, 2)(__LOCKSTEP_T x, __LOCKSTEP_T y) { return {x, y}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__float2, 2_rn)(float a) { return {a, a}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__floats2, 2_rn)(float x, float y) { return {x, y}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__float22, 2_rn)(float2 a) { return {a.x, a.y}; }
__LOCKSTEP_BOTH float2 __LOCKSTEP_H(__, 22float2)(__LOCKSTEP_T2 a) { return {a.x, a.y}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_HH(__, 2, 2)(__LOCKSTEP_T a) { return {a, a}; }
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__low2, )(__LOCKSTEP_T2 a) { return a.x; }
__LOCKSTEP_BOTH __LOCKSTEP_T __LOCKSTEP_H(__high2, )(__LOCKSTEP_T2 a) { return a.y; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__low2, 2)(__LOCKSTEP_T2 a) { return {a.x, a.x}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__high2, 2)(__LOCKSTEP_T2 a) { return {a.y, a.y}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__lows2, 2)(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return {a.x, b.x}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __LOCKSTEP_H(__highs2, 2)(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return {a.y, b.y}; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __lowhigh2highlow(__LOCKSTEP_T2 a) { return {a.y, a.x}; }
__LOCKSTEP_BOTH float __low2float(__LOCKSTEP_T2 a) { return a.x; }
__LOCKSTEP_BOTH float __high2float(__LOCKSTEP_T2 a) { return a.y; }

/* --- Operators -------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_1(OP)                                                                                             \
    __LOCKSTEP_BOTH __LOCKSTEP_T operator OP(const __LOCKSTEP_T &a, const __LOCKSTEP_T &b) { return a.__x OP b.__x; } \
    __LOCKSTEP_BOTH __LOCKSTEP_T &operator OP##=(__LOCKSTEP_T &a, const __LOCKSTEP_T &b) { return a = a OP b; }      \
    __LOCKSTEP_BOTH __LOCKSTEP_T2 operator OP(const __LOCKSTEP_T2 &a, const __LOCKSTEP_T2 &b) {                      \
        return {a.x OP b.x, a.y OP b.y};                                                                             \
    }                                                                                                                \
    __LOCKSTEP_BOTH __LOCKSTEP_T2 &operator OP##=(__LOCKSTEP_T2 &a, const __LOCKSTEP_T2 &b) { return a = a OP b; }
__LOCKSTEP_1(+)
__LOCKSTEP_1(-)
__LOCKSTEP_1(*)
__LOCKSTEP_1(/)
#undef __LOCKSTEP_1
#define __LOCKSTEP_1(OP, JOIN)                                                                                       \
    __LOCKSTEP_BOTH bool operator OP(const __LOCKSTEP_T &a, const __LOCKSTEP_T &b) { return a.__x OP b.__x; }        \
    __LOCKSTEP_BOTH bool operator OP(const __LOCKSTEP_T2 &a, const __LOCKSTEP_T2 &b) {                               \
        return (a.x OP b.x) JOIN (a.y OP b.y);                                                                       \
    }
__LOCKSTEP_1(==, &)
__LOCKSTEP_1(!=, |)
__LOCKSTEP_1(<, &)
__LOCKSTEP_1(<=, &)
__LOCKSTEP_1(>, &)
__LOCKSTEP_1(>=, &)
#undef __LOCKSTEP_1
__LOCKSTEP_BOTH __LOCKSTEP_T operator+(const __LOCKSTEP_T &a) { return a; }
__LOCKSTEP_BOTH __LOCKSTEP_T operator-(const __LOCKSTEP_T &a) { return -a.__x; }
__LOCKSTEP_BOTH __LOCKSTEP_T &operator++(__LOCKSTEP_T &a) { return a = a + __LOCKSTEP_T(1); }
__LOCKSTEP_BOTH __LOCKSTEP_T &operator--(__LOCKSTEP_T &a) { return a = a - __LOCKSTEP_T(1); }
__LOCKSTEP_BOTH __LOCKSTEP_T operator++(__LOCKSTEP_T &a, int) { __LOCKSTEP_T old = a; return ++a, old; }
__LOCKSTEP_BOTH __LOCKSTEP_T operator--(__LOCKSTEP_T &a, int) { __LOCKSTEP_T old = a; return --a, old; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 operator-(const __LOCKSTEP_T2 &a) { return {-a.x, -a.y}; }

/* --- Functions -------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_1(NAME, OP)                                                                                       \
    __LOCKSTEP_BOTH __LOCKSTEP_T __h##NAME(__LOCKSTEP_T a, __LOCKSTEP_T b) { return a OP b; }                        \
    __LOCKSTEP_BOTH __LOCKSTEP_T2 __h##NAME##2(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return a OP b; }                  \
    __LOCKSTEP_BOTH __LOCKSTEP_T __h##NAME##_rn(__LOCKSTEP_T a, __LOCKSTEP_T b) { return a OP b; }                   \
    __LOCKSTEP_BOTH __LOCKSTEP_T2 __h##NAME##2_rn(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return a OP b; }               \
    __LOCKSTEP_INLINE __LOCKSTEP_T __h##NAME##_sat(__LOCKSTEP_T a, __LOCKSTEP_T b) { return __saturatef(a OP b); }   \
    __LOCKSTEP_INLINE __LOCKSTEP_T2 __h##NAME##2_sat(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) {                             \
        return {__h##NAME##_sat(a.x, b.x), __h##NAME##_sat(a.y, b.y)};                                               \
    }
__LOCKSTEP_1(add, +)
__LOCKSTEP_1(sub, -)
__LOCKSTEP_1(mul, *)
#undef __LOCKSTEP_1
__LOCKSTEP_BOTH __LOCKSTEP_T __hdiv(__LOCKSTEP_T a, __LOCKSTEP_T b) { return a / b; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __h2div(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return a / b; }
__LOCKSTEP_BOTH __LOCKSTEP_T __hneg(__LOCKSTEP_T a) { return -a; }
__LOCKSTEP_BOTH __LOCKSTEP_T2 __hneg2(__LOCKSTEP_T2 a) { return -a; }
#define __LOCKSTEP_1(NAME, ...)                                                                                      \
    __LOCKSTEP_INLINE __LOCKSTEP_T NAME(__LOCKSTEP_T a) { return __VA_ARGS__; }
#define __LOCKSTEP_2(NAME)                                                                                           \
    __LOCKSTEP_INLINE __LOCKSTEP_T h##NAME(__LOCKSTEP_T a) { return NAME((float)a); }                                \
    __LOCKSTEP_INLINE __LOCKSTEP_T2 h2##NAME(__LOCKSTEP_T2 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
__LOCKSTEP_2(ceil)
__LOCKSTEP_2(cos)
__LOCKSTEP_2(exp)
__LOCKSTEP_2(exp10)
__LOCKSTEP_2(exp2)
__LOCKSTEP_2(floor)
__LOCKSTEP_2(log)
__LOCKSTEP_2(log10)
__LOCKSTEP_2(log2)
__LOCKSTEP_2(rint)
__LOCKSTEP_2(rsqrt)
__LOCKSTEP_2(sin)
__LOCKSTEP_2(sqrt)
__LOCKSTEP_2(tanh)
__LOCKSTEP_2(trunc)
#undef __LOCKSTEP_2
__LOCKSTEP_1(hrcp, __LOCKSTEP_T(1) / a)
__LOCKSTEP_1(__habs, fabsf(a))
#undef __LOCKSTEP_1
__LOCKSTEP_INLINE __LOCKSTEP_T2 h2rcp(__LOCKSTEP_T2 a) { return {hrcp(a.x), hrcp(a.y)}; }
__LOCKSTEP_INLINE __LOCKSTEP_T2 __habs2(__LOCKSTEP_T2 a) { return {__habs(a.x), __habs(a.y)}; }
#define __LOCKSTEP_2(NAME, FUNCTION)                                                                                 \
    __LOCKSTEP_INLINE __LOCKSTEP_T NAME(__LOCKSTEP_T a, __LOCKSTEP_T b) { return FUNCTION((float)a, (float)b); }     \
    __LOCKSTEP_INLINE __LOCKSTEP_T2 NAME##2(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return {NAME(a.x, b.x), NAME(a.y, b.y)}; }
__LOCKSTEP_2(__hmax, fmaxf)
__LOCKSTEP_2(__hmin, fminf)
#undef __LOCKSTEP_2
__LOCKSTEP_INLINE __LOCKSTEP_T __hmax_nan(__LOCKSTEP_T a, __LOCKSTEP_T b) { return isunordered((float)a, (float)b) ? (__LOCKSTEP_T)NAN : __hmax(a, b); }
__LOCKSTEP_INLINE __LOCKSTEP_T __hmin_nan(__LOCKSTEP_T a, __LOCKSTEP_T b) { return isunordered((float)a, (float)b) ? (__LOCKSTEP_T)NAN : __hmin(a, b); }
__LOCKSTEP_INLINE __LOCKSTEP_T __hfma(__LOCKSTEP_T a, __LOCKSTEP_T b, __LOCKSTEP_T c) { return fmaf(a, b, c); }
__LOCKSTEP_INLINE __LOCKSTEP_T __hfma_sat(__LOCKSTEP_T a, __LOCKSTEP_T b, __LOCKSTEP_T c) { return __saturatef(fmaf(a, b, c)); }
__LOCKSTEP_INLINE __LOCKSTEP_T __hfma_relu(__LOCKSTEP_T a, __LOCKSTEP_T b, __LOCKSTEP_T c) { return fmaxf(fmaf(a, b, c), 0); }
#define __LOCKSTEP_3(NAME, LANE)                                                                                     \
    __LOCKSTEP_INLINE __LOCKSTEP_T2 NAME(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b, __LOCKSTEP_T2 c) {                        \
        return {LANE(a.x, b.x, c.x), LANE(a.y, b.y, c.y)};                                                           \
    }
__LOCKSTEP_3(__hfma2, __hfma)
__LOCKSTEP_3(__hfma2_sat, __hfma_sat)
__LOCKSTEP_3(__hfma2_relu, __hfma_relu)
#undef __LOCKSTEP_3
__LOCKSTEP_INLINE int __hisinf(__LOCKSTEP_T a) { return isinf((float)a); }
__LOCKSTEP_INLINE bool __hisnan(__LOCKSTEP_T a) { return isnan((float)a); }
#define __LOCKSTEP_1(NAME, OP)                                                                                       \
    __LOCKSTEP_BOTH bool __h##NAME(__LOCKSTEP_T a, __LOCKSTEP_T b) { return a OP b; }                                \
    __LOCKSTEP_INLINE bool __h##NAME##u(__LOCKSTEP_T a, __LOCKSTEP_T b) {                                            \
        return isunordered((float)a, (float)b) | (a OP b);                                                           \
    }                                                                                                                \
    __LOCKSTEP_BOTH __LOCKSTEP_T2 __h##NAME##2(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return {a.x OP b.x, a.y OP b.y}; } \
    __LOCKSTEP_BOTH bool __hb##NAME##2(__LOCKSTEP_T2 a, __LOCKSTEP_T2 b) { return (a.x OP b.x) & (a.y OP b.y); }
__LOCKSTEP_1(eq, ==)
__LOCKSTEP_1(ne, !=)
__LOCKSTEP_1(lt, <)
__LOCKSTEP_1(le, <=)
__LOCKSTEP_1(gt, >)
__LOCKSTEP_1(ge, >=)
#undef __LOCKSTEP_1

/* --- Exchanges and atomics: of the bits, and refused ------------------------------------------------------ */
#define __LOCKSTEP_1(NAME, SECOND)                                                                                   \
    __LOCKSTEP_INLINE __LOCKSTEP_T NAME(unsigned int mask, __LOCKSTEP_T a, SECOND lane, int width = 32) {            \
        return __LOCKSTEP_H(__ushort_as_, )((unsigned short)NAME(mask, (unsigned int)__LOCKSTEP_H(__, _as_ushort)(a), lane, width)); \
    }                                                                                                                \
    __LOCKSTEP_INLINE __LOCKSTEP_T2 NAME(unsigned int mask, __LOCKSTEP_T2 a, SECOND lane, int width = 32) {          \
        return __builtin_bit_cast(__LOCKSTEP_T2, NAME(mask, __builtin_bit_cast(unsigned int, a), lane, width));      \
    }
__LOCKSTEP_1(__shfl_sync, int)
__LOCKSTEP_1(__shfl_up_sync, unsigned int)
__LOCKSTEP_1(__shfl_down_sync, unsigned int)
__LOCKSTEP_1(__shfl_xor_sync, int)
#undef __LOCKSTEP_1
__LOCKSTEP_DEVICE void __lockstep_refused_atomicAdd();
__LOCKSTEP_INLINE __LOCKSTEP_T atomicAdd(__LOCKSTEP_T *address, __LOCKSTEP_T) { return __lockstep_refused_atomicAdd(), *address; }
__LOCKSTEP_INLINE __LOCKSTEP_T2 atomicAdd(__LOCKSTEP_T2 *address, __LOCKSTEP_T2) { return __lockstep_refused_atomicAdd(), *address; }
