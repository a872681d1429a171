/* The vector types and what makes them. */
#ifndef LOCKSTEP_VECTOR_TYPES
#define LOCKSTEP_VECTOR_TYPES
#pragma clang system_header

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define __LOCKSTEP_VECTOR(NAME, T, A1, A2, A3, A4)                                                                   \
    struct __attribute__((aligned(A1))) NAME##1 { T x; };                                                            \
    struct __attribute__((aligned(A2))) NAME##2 { T x, y; };                                                         \
    struct __attribute__((aligned(A3))) NAME##3 { T x, y, z; };                                                      \
    struct __attribute__((aligned(A4))) NAME##4 { T x, y, z, w; };                                                   \
    __LOCKSTEP_BOTH NAME##1 make_##NAME##1(T x) { return {x}; }                                                      \
    __LOCKSTEP_BOTH NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                                              \
    __LOCKSTEP_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                                      \
    __LOCKSTEP_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

__LOCKSTEP_VECTOR(char, signed char, 1, 2, 1, 4)
__LOCKSTEP_VECTOR(uchar, unsigned char, 1, 2, 1, 4)
__LOCKSTEP_VECTOR(short, short, 2, 4, 2, 8)
__LOCKSTEP_VECTOR(ushort, unsigned short, 2, 4, 2, 8)
__LOCKSTEP_VECTOR(int, int, 4, 8, 4, 16)
__LOCKSTEP_VECTOR(uint, unsigned int, 4, 8, 4, 16)
__LOCKSTEP_VECTOR(long, long, 8, 16, 8, 16)
__LOCKSTEP_VECTOR(ulong, unsigned long, 8, 16, 8, 16)
__LOCKSTEP_VECTOR(longlong, long long, 8, 16, 8, 16)
__LOCKSTEP_VECTOR(ulonglong, unsigned long long, 8, 16, 8, 16)
__LOCKSTEP_VECTOR(float, float, 4, 8, 4, 16)
__LOCKSTEP_VECTOR(double, double, 8, 16, 8, 16)

struct dim3 {
    unsigned int x, y, z;
    __attribute__((host, device)) constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
        : x(x), y(y), z(z) {}
    __attribute__((host, device)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __attribute__((host, device)) constexpr operator uint3() const { return {x, y, z}; }
};

#endif
