#if __clang_major__ != 19
#error Lockstep needs Clang 19
#endif
#pragma clang system_header

/* Clang's own atomics are those of OpenCL: for SPIR targets Clang drops the scopes of its own. */
#define __opencl_atomic_init(object, value) atomic_init(object, value)
#define __opencl_atomic_load(...) atomic_load_explicit(__VA_ARGS__)
#define __opencl_atomic_store(...) atomic_store_explicit(__VA_ARGS__)
#define __opencl_atomic_exchange(...) atomic_exchange_explicit(__VA_ARGS__)
#define __opencl_atomic_compare_exchange_strong(...) atomic_compare_exchange_strong_explicit(__VA_ARGS__)
#define __opencl_atomic_compare_exchange_weak(...) atomic_compare_exchange_weak_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_add(...) atomic_fetch_add_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_sub(...) atomic_fetch_sub_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_and(...) atomic_fetch_and_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_or(...) atomic_fetch_or_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_xor(...) atomic_fetch_xor_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_min(...) atomic_fetch_min_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_max(...) atomic_fetch_max_explicit(__VA_ARGS__)

