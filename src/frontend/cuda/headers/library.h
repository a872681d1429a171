/* What of the C library nvcc includes before every source, as its own headers declare it, and what there is of it on
   devices. */
#ifndef LOCKSTEP_LIBRARY
#define LOCKSTEP_LIBRARY
#pragma clang system_header

typedef long clock_t;

/* --- Strings ---------------------------------------------------------------------------------------------- */
__LOCKSTEP_C void *memcpy(void *, const void *, size_t) noexcept;
__LOCKSTEP_C void *memmove(void *, const void *, size_t) noexcept;
__LOCKSTEP_C void *memset(void *, int, size_t) noexcept;
__LOCKSTEP_C int memcmp(const void *, const void *, size_t) noexcept;
__LOCKSTEP_C size_t strlen(const char *) noexcept;
__LOCKSTEP_C int strcmp(const char *, const char *) noexcept;
__LOCKSTEP_C int strncmp(const char *, const char *, size_t) noexcept;
__LOCKSTEP_C char *strcpy(char *, const char *) noexcept;
__LOCKSTEP_INLINE void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
__LOCKSTEP_INLINE void *memmove(void *to, const void *from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
__LOCKSTEP_INLINE void *memset(void *to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }

/* --- Memory ----------------------------------------------------------------------------------------------- */
__LOCKSTEP_C void *malloc(size_t) noexcept;
__LOCKSTEP_C void *calloc(size_t, size_t) noexcept;
__LOCKSTEP_C void *realloc(void *, size_t) noexcept;
__LOCKSTEP_C void free(void *) noexcept;
__LOCKSTEP_C __LOCKSTEP_DEVICE void *malloc(size_t) noexcept;
__LOCKSTEP_C __LOCKSTEP_DEVICE void free(void *) noexcept;
__LOCKSTEP_DEVICE void *operator new(size_t);
__LOCKSTEP_DEVICE void *operator new[](size_t);
/* At a place that is given, which nvcc knows without <new>. */
void *operator new(size_t, void *) noexcept;
void *operator new[](size_t, void *) noexcept;
__LOCKSTEP_DEVICE void *operator new(size_t, void *) noexcept;
__LOCKSTEP_DEVICE void *operator new[](size_t, void *) noexcept;
__LOCKSTEP_DEVICE void operator delete(void *) noexcept;
__LOCKSTEP_DEVICE void operator delete[](void *) noexcept;
__LOCKSTEP_DEVICE void operator delete(void *, size_t) noexcept;
__LOCKSTEP_DEVICE void operator delete[](void *, size_t) noexcept;

/* --- The rest --------------------------------------------------------------------------------------------- */
__LOCKSTEP_C void exit(int) noexcept __attribute__((noreturn));
__LOCKSTEP_C void abort() noexcept __attribute__((noreturn));
__LOCKSTEP_C int atoi(const char *) noexcept;
__LOCKSTEP_C double atof(const char *) noexcept;
__LOCKSTEP_C int rand() noexcept;
__LOCKSTEP_C void srand(unsigned int) noexcept;
__LOCKSTEP_C long clock() noexcept;
__LOCKSTEP_C int printf(const char *, ...);
/* Clang turns it into a call of `vprintf`. */
__LOCKSTEP_C __LOCKSTEP_DEVICE int printf(const char *, ...);
__LOCKSTEP_C __LOCKSTEP_DEVICE int vprintf(const char *, const char *);

/* What `assert` of <assert.h> calls on Linux, and what its own of CUDA calls. */
__LOCKSTEP_C void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept
    __attribute__((noreturn));
__LOCKSTEP_C __LOCKSTEP_DEVICE void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept
    __attribute__((noreturn));
__LOCKSTEP_C __LOCKSTEP_DEVICE void __assertfail(const char *, const char *, unsigned int, const char *,
                                                 size_t) noexcept __attribute__((noreturn));
/* What assertions of libstdc++ call. Without arguments it is for constant expressions alone. */
namespace std {
__LOCKSTEP_INLINE void __glibcxx_assert_fail() {}
__attribute__((noreturn)) __LOCKSTEP_INLINE void __glibcxx_assert_fail(const char *file, int line, const char *function,
                                                                       const char *condition) noexcept {
    __assert_fail(condition, file, line, function);
}
} // namespace std
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                                            \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

/* --- Macros and types ------------------------------------------------------------------------------------- */
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#endif
