#if __clang_major__ != 19
#error Lockstep needs Clang 19
#endif
#pragma clang system_header

/* Clang's own atomics are those of OpenCL: for SPIR targets Clang drops the scopes of its own. Each name is a macro without
   parameters, so that (name)(…) means no other function. */
#define __opencl_atomic_init __lockstep_opencl_init
#define __lockstep_opencl_init(object, value) atomic_init(object, value)
#define __opencl_atomic_load __lockstep_opencl_load
#define __lockstep_opencl_load(...) atomic_load_explicit(__VA_ARGS__)
#define __opencl_atomic_store __lockstep_opencl_store
#define __lockstep_opencl_store(...) atomic_store_explicit(__VA_ARGS__)
#define __opencl_atomic_exchange __lockstep_opencl_exchange
#define __lockstep_opencl_exchange(...) atomic_exchange_explicit(__VA_ARGS__)
#define __opencl_atomic_compare_exchange_strong __lockstep_opencl_compare_exchange_strong
#define __lockstep_opencl_compare_exchange_strong(...) atomic_compare_exchange_strong_explicit(__VA_ARGS__)
#define __opencl_atomic_compare_exchange_weak __lockstep_opencl_compare_exchange_weak
#define __lockstep_opencl_compare_exchange_weak(...) atomic_compare_exchange_weak_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_add __lockstep_opencl_fetch_add
#define __lockstep_opencl_fetch_add(...) atomic_fetch_add_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_sub __lockstep_opencl_fetch_sub
#define __lockstep_opencl_fetch_sub(...) atomic_fetch_sub_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_and __lockstep_opencl_fetch_and
#define __lockstep_opencl_fetch_and(...) atomic_fetch_and_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_or __lockstep_opencl_fetch_or
#define __lockstep_opencl_fetch_or(...) atomic_fetch_or_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_xor __lockstep_opencl_fetch_xor
#define __lockstep_opencl_fetch_xor(...) atomic_fetch_xor_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_min __lockstep_opencl_fetch_min
#define __lockstep_opencl_fetch_min(...) atomic_fetch_min_explicit(__VA_ARGS__)
#define __opencl_atomic_fetch_max __lockstep_opencl_fetch_max
#define __lockstep_opencl_fetch_max(...) atomic_fetch_max_explicit(__VA_ARGS__)

