/* Short floats: cuda_fp16.h and cuda_bf16.h include this with __T for the type (`__half`), __T2 for two of them
   (`__half2`), __RAW and __RAW2 for their bits, __F for Clang's own type, __H(a, b) for names with `half` between a and b,
   and __HH(a, b, c) for those with `half` twice.

   Arithmetic is Clang's of its own type, functions are those of float. */
#pragma clang system_header

struct __RAW { unsigned short x; };
struct __attribute__((aligned(4))) __RAW2 { unsigned short x, y; };
struct __attribute__((aligned(2))) __T {
    __F __x;
    __T() = default;
    template <class A, class = typename __lockstep_if<__is_arithmetic(A)>::as_double>
    __LOCKSTEP_OF_BOTH constexpr __T(A a) : __x((__F)a) {}
    __LOCKSTEP_OF_BOTH constexpr __T(__F a) : __x(a) {}
    __LOCKSTEP_OF_BOTH constexpr __T(const __RAW &raw) : __x(__builtin_bit_cast(__F, raw.x)) {}
    __LOCKSTEP_OF_BOTH constexpr operator float() const { return (float)__x; }
    __LOCKSTEP_OF_BOTH operator __RAW() const { return {__builtin_bit_cast(unsigned short, __x)}; }
};
struct __attribute__((aligned(4))) __T2 {
    __T x, y;
    __T2() = default;
    __LOCKSTEP_OF_BOTH constexpr __T2(const __T &x, const __T &y) : x(x), y(y) {}
    __LOCKSTEP_OF_BOTH constexpr __T2(const __RAW2 &raw)
        : x(__RAW{raw.x}), y(__RAW{raw.y}) {}
    __LOCKSTEP_OF_BOTH operator __RAW2() const {
        return {__builtin_bit_cast(unsigned short, x), __builtin_bit_cast(unsigned short, y)};
    }
};

/* --- Conversions ------------------------------------------------------------------------------------------ */
__LOCKSTEP_BOTH __T __H(__float2, )(float a) { return a; }
__LOCKSTEP_BOTH __T __H(__double2, )(double a) { return a; }
__LOCKSTEP_BOTH float __H(__, 2float)(__T a) { return a; }
/* Of the roundings, to nearest even and for integers towards zero are those of a cast. The others come as floats that a
   cast leaves as they are. */
__LOCKSTEP_BOTH __T __H(__float2, _rn)(float a) { return a; }
#define __LOCKSTEP_1(R)                                                                                              \
    __LOCKSTEP_DEVICE float __H(__lockstep_, R)(float), __H(__lockstep_, R)(long long),                              \
        __H(__lockstep_, R)(unsigned long long);                                                                     \
    __LOCKSTEP_INLINE __T __H(__float2, R)(float a) { return __H(__lockstep_, R)(a); }
__LOCKSTEP_1(_rz)
__LOCKSTEP_1(_ru)
__LOCKSTEP_1(_rd)
#undef __LOCKSTEP_1
#define __LOCKSTEP_1(NAME, FLOAT, I, W)                                                                              \
    __LOCKSTEP_BOTH I __H(__, 2##NAME##_rz)(__T a) { return (I)(float)a; }                                           \
    __LOCKSTEP_INLINE I __H(__, 2##NAME##_rn)(__T a) { return __float2##FLOAT##_rn(a); }                             \
    __LOCKSTEP_INLINE I __H(__, 2##NAME##_ru)(__T a) { return __float2##FLOAT##_ru(a); }                             \
    __LOCKSTEP_INLINE I __H(__, 2##NAME##_rd)(__T a) { return __float2##FLOAT##_rd(a); }                             \
    __LOCKSTEP_BOTH __T __H(__##NAME##2, _rn)(I a) { return a; }                                                     \
    __LOCKSTEP_INLINE __T __H(__##NAME##2, _rz)(I a) { return __H(__lockstep_, _rz)((W)a); }                         \
    __LOCKSTEP_INLINE __T __H(__##NAME##2, _ru)(I a) { return __H(__lockstep_, _ru)((W)a); }                         \
    __LOCKSTEP_INLINE __T __H(__##NAME##2, _rd)(I a) { return __H(__lockstep_, _rd)((W)a); }
__LOCKSTEP_1(int, int, int, long long)
__LOCKSTEP_1(uint, uint, unsigned int, long long)
__LOCKSTEP_1(short, int, short, long long)
__LOCKSTEP_1(ushort, uint, unsigned short, long long)
__LOCKSTEP_1(ll, ll, long long, long long)
__LOCKSTEP_1(ull, ull, unsigned long long, unsigned long long)
#undef __LOCKSTEP_1
__LOCKSTEP_BOTH short __H(__, _as_short)(__T a) { return __builtin_bit_cast(short, a); }
__LOCKSTEP_BOTH unsigned short __H(__, _as_ushort)(__T a) { return __builtin_bit_cast(unsigned short, a); }
__LOCKSTEP_BOTH __T __H(__short_as_, )(short a) { return __builtin_bit_cast(__F, a); }
__LOCKSTEP_BOTH __T __H(__ushort_as_, )(unsigned short a) { return __builtin_bit_cast(__F, a); }

__LOCKSTEP_BOTH __T2 __H(make_, 2)(__T x, __T y) { return {x, y}; }
__LOCKSTEP_BOTH __T2 __H(__halves2, 2)(__T x, __T y) { return {x, y}; }
__LOCKSTEP_BOTH __T2 __H(__float2, 2_rn)(float a) { return {a, a}; }
__LOCKSTEP_BOTH __T2 __H(__floats2, 2_rn)(float x, float y) { return {x, y}; }
__LOCKSTEP_BOTH __T2 __H(__float22, 2_rn)(float2 a) { return {a.x, a.y}; }
__LOCKSTEP_BOTH float2 __H(__, 22float2)(__T2 a) { return {a.x, a.y}; }
__LOCKSTEP_BOTH __T2 __HH(__, 2, 2)(__T a) { return {a, a}; }
__LOCKSTEP_BOTH __T __H(__low2, )(__T2 a) { return a.x; }
__LOCKSTEP_BOTH __T __H(__high2, )(__T2 a) { return a.y; }
__LOCKSTEP_BOTH __T2 __H(__low2, 2)(__T2 a) { return {a.x, a.x}; }
__LOCKSTEP_BOTH __T2 __H(__high2, 2)(__T2 a) { return {a.y, a.y}; }
__LOCKSTEP_BOTH __T2 __H(__lows2, 2)(__T2 a, __T2 b) { return {a.x, b.x}; }
__LOCKSTEP_BOTH __T2 __H(__highs2, 2)(__T2 a, __T2 b) { return {a.y, b.y}; }
__LOCKSTEP_BOTH __T2 __lowhigh2highlow(__T2 a) { return {a.y, a.x}; }
__LOCKSTEP_BOTH float __low2float(__T2 a) { return a.x; }
__LOCKSTEP_BOTH float __high2float(__T2 a) { return a.y; }

/* --- Operators -------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_1(OP)                                                                                             \
    __LOCKSTEP_BOTH __T operator OP(const __T &a, const __T &b) { return a.__x OP b.__x; }                           \
    __LOCKSTEP_BOTH __T &operator OP##=(__T &a, const __T &b) { return a = a OP b; }                                 \
    __LOCKSTEP_BOTH __T2 operator OP(const __T2 &a, const __T2 &b) {                                                 \
        return {a.x OP b.x, a.y OP b.y};                                                                             \
    }                                                                                                                \
    __LOCKSTEP_BOTH __T2 &operator OP##=(__T2 &a, const __T2 &b) { return a = a OP b; }
__LOCKSTEP_1(+)
__LOCKSTEP_1(-)
__LOCKSTEP_1(*)
__LOCKSTEP_1(/)
#undef __LOCKSTEP_1
#define __LOCKSTEP_1(OP, JOIN)                                                                                       \
    __LOCKSTEP_BOTH bool operator OP(const __T &a, const __T &b) { return a.__x OP b.__x; }                          \
    __LOCKSTEP_BOTH bool operator OP(const __T2 &a, const __T2 &b) {                                                 \
        return (a.x OP b.x) JOIN (a.y OP b.y);                                                                       \
    }
__LOCKSTEP_1(==, &)
__LOCKSTEP_1(!=, |)
__LOCKSTEP_1(<, &)
__LOCKSTEP_1(<=, &)
__LOCKSTEP_1(>, &)
__LOCKSTEP_1(>=, &)
#undef __LOCKSTEP_1
__LOCKSTEP_BOTH __T operator+(const __T &a) { return a; }
__LOCKSTEP_BOTH __T operator-(const __T &a) { return -a.__x; }
__LOCKSTEP_BOTH __T &operator++(__T &a) { return a = a + __T(1); }
__LOCKSTEP_BOTH __T &operator--(__T &a) { return a = a - __T(1); }
__LOCKSTEP_BOTH __T operator++(__T &a, int) { __T old = a; return ++a, old; }
__LOCKSTEP_BOTH __T operator--(__T &a, int) { __T old = a; return --a, old; }
__LOCKSTEP_BOTH __T2 operator-(const __T2 &a) { return {-a.x, -a.y}; }

/* --- Functions -------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_1(NAME, OP)                                                                                       \
    __LOCKSTEP_BOTH __T __h##NAME(__T a, __T b) { return a OP b; }                                                   \
    __LOCKSTEP_BOTH __T2 __h##NAME##2(__T2 a, __T2 b) { return a OP b; }                                             \
    __LOCKSTEP_BOTH __T __h##NAME##_rn(__T a, __T b) { return a OP b; }                                              \
    __LOCKSTEP_BOTH __T2 __h##NAME##2_rn(__T2 a, __T2 b) { return a OP b; }                                          \
    __LOCKSTEP_INLINE __T __h##NAME##_sat(__T a, __T b) { return __saturatef(a OP b); }                              \
    __LOCKSTEP_INLINE __T2 __h##NAME##2_sat(__T2 a, __T2 b) {                                                        \
        return {__h##NAME##_sat(a.x, b.x), __h##NAME##_sat(a.y, b.y)};                                               \
    }
__LOCKSTEP_1(add, +)
__LOCKSTEP_1(sub, -)
__LOCKSTEP_1(mul, *)
#undef __LOCKSTEP_1
__LOCKSTEP_BOTH __T __hdiv(__T a, __T b) { return a / b; }
__LOCKSTEP_BOTH __T2 __h2div(__T2 a, __T2 b) { return a / b; }
__LOCKSTEP_BOTH __T __hneg(__T a) { return -a; }
__LOCKSTEP_BOTH __T2 __hneg2(__T2 a) { return -a; }
#define __LOCKSTEP_1(NAME, ...)                                                                                      \
    __LOCKSTEP_INLINE __T NAME(__T a) { return __VA_ARGS__; }
#define __LOCKSTEP_2(NAME)                                                                                           \
    __LOCKSTEP_INLINE __T h##NAME(__T a) { return NAME((float)a); }                                                  \
    __LOCKSTEP_INLINE __T2 h2##NAME(__T2 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
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
__LOCKSTEP_1(hrcp, __T(1) / a)
__LOCKSTEP_1(__habs, fabsf(a))
#undef __LOCKSTEP_1
__LOCKSTEP_INLINE __T2 h2rcp(__T2 a) { return {hrcp(a.x), hrcp(a.y)}; }
__LOCKSTEP_INLINE __T2 __habs2(__T2 a) { return {__habs(a.x), __habs(a.y)}; }
#define __LOCKSTEP_2(NAME, FUNCTION)                                                                                 \
    __LOCKSTEP_INLINE __T NAME(__T a, __T b) { return FUNCTION((float)a, (float)b); }                                \
    __LOCKSTEP_INLINE __T2 NAME##2(__T2 a, __T2 b) { return {NAME(a.x, b.x), NAME(a.y, b.y)}; }
__LOCKSTEP_2(__hmax, fmaxf)
__LOCKSTEP_2(__hmin, fminf)
#undef __LOCKSTEP_2
__LOCKSTEP_INLINE __T __hmax_nan(__T a, __T b) { return isunordered((float)a, (float)b) ? (__T)NAN : __hmax(a, b); }
__LOCKSTEP_INLINE __T __hmin_nan(__T a, __T b) { return isunordered((float)a, (float)b) ? (__T)NAN : __hmin(a, b); }
__LOCKSTEP_INLINE __T __hfma(__T a, __T b, __T c) { return fmaf(a, b, c); }
__LOCKSTEP_INLINE __T __hfma_sat(__T a, __T b, __T c) { return __saturatef(fmaf(a, b, c)); }
__LOCKSTEP_INLINE __T __hfma_relu(__T a, __T b, __T c) { return fmaxf(fmaf(a, b, c), 0); }
#define __LOCKSTEP_3(NAME, LANE)                                                                                     \
    __LOCKSTEP_INLINE __T2 NAME(__T2 a, __T2 b, __T2 c) {                                                            \
        return {LANE(a.x, b.x, c.x), LANE(a.y, b.y, c.y)};                                                           \
    }
__LOCKSTEP_3(__hfma2, __hfma)
__LOCKSTEP_3(__hfma2_sat, __hfma_sat)
__LOCKSTEP_3(__hfma2_relu, __hfma_relu)
#undef __LOCKSTEP_3
__LOCKSTEP_INLINE int __hisinf(__T a) { return isinf((float)a); }
__LOCKSTEP_INLINE bool __hisnan(__T a) { return isnan((float)a); }
#define __LOCKSTEP_1(NAME, OP)                                                                                       \
    __LOCKSTEP_BOTH bool __h##NAME(__T a, __T b) { return a OP b; }                                                  \
    __LOCKSTEP_INLINE bool __h##NAME##u(__T a, __T b) {                                                              \
        return isunordered((float)a, (float)b) | (a OP b);                                                           \
    }                                                                                                                \
    __LOCKSTEP_BOTH __T2 __h##NAME##2(__T2 a, __T2 b) { return {a.x OP b.x, a.y OP b.y}; }                           \
    __LOCKSTEP_BOTH bool __hb##NAME##2(__T2 a, __T2 b) { return (a.x OP b.x) & (a.y OP b.y); }
__LOCKSTEP_1(eq, ==)
__LOCKSTEP_1(ne, !=)
__LOCKSTEP_1(lt, <)
__LOCKSTEP_1(le, <=)
__LOCKSTEP_1(gt, >)
__LOCKSTEP_1(ge, >=)
#undef __LOCKSTEP_1

/* --- Exchanges and atomics: of the bits ------------------------------------------------------------------- */
#define __LOCKSTEP_1(NAME, SECOND)                                                                                   \
    __LOCKSTEP_INLINE __T NAME(__lockstep_mask mask, __T a, SECOND lane, int width = __LOCKSTEP_WARP_SIZE) {         \
        return __H(__ushort_as_, )((unsigned short)NAME(mask, (unsigned int)__H(__, _as_ushort)(a), lane, width));   \
    }                                                                                                                \
    __LOCKSTEP_INLINE __T2 NAME(__lockstep_mask mask, __T2 a, SECOND lane, int width = __LOCKSTEP_WARP_SIZE) {       \
        return __builtin_bit_cast(__T2, NAME(mask, __builtin_bit_cast(unsigned int, a), lane, width));               \
    }
__LOCKSTEP_1(__shfl_sync, int)
__LOCKSTEP_1(__shfl_up_sync, unsigned int)
__LOCKSTEP_1(__shfl_down_sync, unsigned int)
__LOCKSTEP_1(__shfl_xor_sync, int)
#undef __LOCKSTEP_1
/* The sum is not known. Of two, each is added to on its own. */
__LOCKSTEP_DEVICE unsigned short __lockstep_atomic_exchange(volatile unsigned short *address, unsigned short value,
                                                            int order, int scope);
__LOCKSTEP_INLINE __T atomicAdd(__T *address, __T) {
    return __RAW{__lockstep_atomic_exchange((volatile unsigned short *)address,
                                            __lockstep_any_as<unsigned short>::value(), 0, 1)};
}
__LOCKSTEP_INLINE __T2 atomicAdd(__T2 *address, __T2 value) {
    __T x = atomicAdd(&address->x, value.x), y = atomicAdd(&address->y, value.y);
    return __T2(x, y);
}
