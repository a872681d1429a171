/* What of the C library nvcc includes before every source, as its own headers declare it, and what there is of it on
   devices. */
#ifndef LOCKSTEP_LIBRARY
#define LOCKSTEP_LIBRARY
#pragma clang system_header

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
__LOCKSTEP_C void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept __attribute__((noreturn));
__LOCKSTEP_C __LOCKSTEP_DEVICE void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept
    __attribute__((noreturn));
__LOCKSTEP_C __LOCKSTEP_DEVICE void __assertfail(const char *, const char *, unsigned int, const char *, size_t) noexcept
    __attribute__((noreturn));

#endif
