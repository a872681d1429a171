/* Arithmetic on CUDA's vectors, lane by lane, which CUDA itself does not have: `--vector-arithmetic` asks for it.

   All of it are templates, so that functions which a source declares for its vectors are preferred. */
#ifndef LOCKSTEP_VECTOR_ARITHMETIC
#define LOCKSTEP_VECTOR_ARITHMETIC
#pragma clang system_header

/* The lanes of one of CUDA's vectors; nothing for any other type. */
template <class V> struct __lockstep_lanes {};
#define __LOCKSTEP_LANES(NAME, T)                                                                                    \
    template <> struct __lockstep_lanes<NAME##2> { typedef T lane; typedef T of2; };                                 \
    template <> struct __lockstep_lanes<NAME##3> { typedef T lane; typedef T of3; };                                 \
    template <> struct __lockstep_lanes<NAME##4> { typedef T lane; typedef T of4; };
__LOCKSTEP_LANES(char, signed char)
__LOCKSTEP_LANES(uchar, unsigned char)
__LOCKSTEP_LANES(short, short)
__LOCKSTEP_LANES(ushort, unsigned short)
__LOCKSTEP_LANES(int, int)
__LOCKSTEP_LANES(uint, unsigned int)
__LOCKSTEP_LANES(long, long)
__LOCKSTEP_LANES(ulong, unsigned long)
__LOCKSTEP_LANES(longlong, long long)
__LOCKSTEP_LANES(ulonglong, unsigned long long)
__LOCKSTEP_LANES(float, float)
__LOCKSTEP_LANES(double, double)

#define __LOCKSTEP_FOR(N)                                                                                            \
    template <class V, typename __lockstep_lanes<V>::of##N * = nullptr,                                              \
              class T = typename __lockstep_lanes<V>::of##N>                                                         \
    __attribute__((host, device, always_inline)) inline
#define __LOCKSTEP_FOR_ALL                                                                                           \
    template <class V, class T = typename __lockstep_lanes<V>::lane>                                                 \
    __attribute__((host, device, always_inline)) inline
#define __LOCKSTEP_LANE_OF typename __lockstep_lanes<V>::lane

/* A vector whose lanes are all the same. */
__LOCKSTEP_FOR(2) V __lockstep_filled(__LOCKSTEP_LANE_OF x) { return {x, x}; }
__LOCKSTEP_FOR(3) V __lockstep_filled(__LOCKSTEP_LANE_OF x) { return {x, x, x}; }
__LOCKSTEP_FOR(4) V __lockstep_filled(__LOCKSTEP_LANE_OF x) { return {x, x, x, x}; }

#define __LOCKSTEP_OPERATOR(OP)                                                                                      \
    __LOCKSTEP_FOR(2) V operator OP(V a, V b) { return {(T)(a.x OP b.x), (T)(a.y OP b.y)}; }                         \
    __LOCKSTEP_FOR(3) V operator OP(V a, V b) { return {(T)(a.x OP b.x), (T)(a.y OP b.y), (T)(a.z OP b.z)}; }        \
    __LOCKSTEP_FOR(4) V operator OP(V a, V b) {                                                                      \
        return {(T)(a.x OP b.x), (T)(a.y OP b.y), (T)(a.z OP b.z), (T)(a.w OP b.w)};                                 \
    }                                                                                                                \
    __LOCKSTEP_FOR_ALL V operator OP(V a, __LOCKSTEP_LANE_OF b) { return a OP __lockstep_filled<V>(b); }             \
    __LOCKSTEP_FOR_ALL V operator OP(__LOCKSTEP_LANE_OF a, V b) { return __lockstep_filled<V>(a) OP b; }             \
    __LOCKSTEP_FOR_ALL V &operator OP##=(V &a, V b) { return a = a OP b; }                                           \
    __LOCKSTEP_FOR_ALL V &operator OP##=(V &a, __LOCKSTEP_LANE_OF b) { return a = a OP b; }
__LOCKSTEP_OPERATOR(+)
__LOCKSTEP_OPERATOR(-)
__LOCKSTEP_OPERATOR(*)
__LOCKSTEP_OPERATOR(/)
/* Those of integers. */
__LOCKSTEP_OPERATOR(%)
__LOCKSTEP_OPERATOR(&)
__LOCKSTEP_OPERATOR(|)
__LOCKSTEP_OPERATOR(^)

#define __LOCKSTEP_UNARY(OP)                                                                                         \
    __LOCKSTEP_FOR(2) V operator OP(V a) { return {(T)(OP a.x), (T)(OP a.y)}; }                                      \
    __LOCKSTEP_FOR(3) V operator OP(V a) { return {(T)(OP a.x), (T)(OP a.y), (T)(OP a.z)}; }                         \
    __LOCKSTEP_FOR(4) V operator OP(V a) { return {(T)(OP a.x), (T)(OP a.y), (T)(OP a.z), (T)(OP a.w)}; }
__LOCKSTEP_UNARY(-)
__LOCKSTEP_UNARY(~)

/* --- Geometry --------------------------------------------------------------------------------------------- */
__LOCKSTEP_FOR(2) T dot(V a, V b) { return a.x * b.x + a.y * b.y; }
__LOCKSTEP_FOR(3) T dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__LOCKSTEP_FOR(4) T dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__LOCKSTEP_FOR(3) V cross(V a, V b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__attribute__((device, always_inline)) inline float __lockstep_root(float x) { return sqrtf(x); }
__attribute__((device, always_inline)) inline double __lockstep_root(double x) { return sqrt(x); }
#define __LOCKSTEP_FOR_DEVICES                                                                                       \
    template <class V, class T = typename __lockstep_lanes<V>::lane> __attribute__((device, always_inline)) inline
__LOCKSTEP_FOR_DEVICES T length(V a) { return __lockstep_root(dot(a, a)); }
__LOCKSTEP_FOR_DEVICES V normalize(V a) { return a / length(a); }
__LOCKSTEP_FOR_DEVICES T distance(V a, V b) { return length(a - b); }
__LOCKSTEP_FOR_ALL V lerp(V a, V b, __LOCKSTEP_LANE_OF t) { return a + t * (b - a); }
__LOCKSTEP_FOR_ALL V reflect(V in, V normal) { return in - (T)2 * normal * dot(normal, in); }

#undef __LOCKSTEP_LANES
#undef __LOCKSTEP_FOR
#undef __LOCKSTEP_FOR_ALL
#undef __LOCKSTEP_FOR_DEVICES
#undef __LOCKSTEP_LANE_OF
#undef __LOCKSTEP_OPERATOR
#undef __LOCKSTEP_UNARY
#endif
