/* Barriers, fences, exchanges within a warp. */
#ifndef LOCKSTEP_SYNCHRONISATION
#define LOCKSTEP_SYNCHRONISATION
#pragma clang system_header

/* `__syncthreads` itself is known to Clang. */
__LOCKSTEP_DEVICE int __syncthreads_count(int predicate);
__LOCKSTEP_DEVICE int __syncthreads_and(int predicate);
__LOCKSTEP_DEVICE int __syncthreads_or(int predicate);
__LOCKSTEP_DEVICE void __syncwarp(__lockstep_mask mask = ~(__lockstep_mask)0);

__LOCKSTEP_DEVICE void __threadfence();
__LOCKSTEP_DEVICE void __threadfence_block();
__LOCKSTEP_DEVICE void __threadfence_system();

__LOCKSTEP_DEVICE __lockstep_mask __activemask();
__LOCKSTEP_DEVICE int __all_sync(__lockstep_mask mask, int predicate);
__LOCKSTEP_DEVICE int __any_sync(__lockstep_mask mask, int predicate);
__LOCKSTEP_DEVICE int __uni_sync(__lockstep_mask mask, int predicate);
__LOCKSTEP_DEVICE __lockstep_mask __ballot_sync(__lockstep_mask mask, int predicate);
/* The ones before independent thread scheduling: in CUDA, all lanes must take part. */
__LOCKSTEP_DEVICE int __all(int predicate);
__LOCKSTEP_DEVICE int __any(int predicate);
__LOCKSTEP_DEVICE __lockstep_mask __ballot(int predicate);

#define __LOCKSTEP_EXCHANGE(T)                                                                                       \
    __LOCKSTEP_DEVICE T __shfl_sync(__lockstep_mask mask, T value, int lane, int width = __LOCKSTEP_WARP_SIZE);      \
    __LOCKSTEP_DEVICE T __shfl_up_sync(__lockstep_mask mask, T value, unsigned int delta,                            \
        int width = __LOCKSTEP_WARP_SIZE);                                                                           \
    __LOCKSTEP_DEVICE T __shfl_down_sync(__lockstep_mask mask, T value, unsigned int delta,                          \
        int width = __LOCKSTEP_WARP_SIZE);                                                                           \
    __LOCKSTEP_DEVICE T __shfl_xor_sync(__lockstep_mask mask, T value, int lanes, int width = __LOCKSTEP_WARP_SIZE); \
    __LOCKSTEP_DEVICE T __shfl(T value, int lane, int width = __LOCKSTEP_WARP_SIZE);                                 \
    __LOCKSTEP_DEVICE T __shfl_up(T value, unsigned int delta, int width = __LOCKSTEP_WARP_SIZE);                    \
    __LOCKSTEP_DEVICE T __shfl_down(T value, unsigned int delta, int width = __LOCKSTEP_WARP_SIZE);                  \
    __LOCKSTEP_DEVICE T __shfl_xor(T value, int lanes, int width = __LOCKSTEP_WARP_SIZE);
__LOCKSTEP_EXCHANGE(int)
__LOCKSTEP_EXCHANGE(unsigned int)
__LOCKSTEP_EXCHANGE(long)
__LOCKSTEP_EXCHANGE(unsigned long)
__LOCKSTEP_EXCHANGE(long long)
__LOCKSTEP_EXCHANGE(unsigned long long)
__LOCKSTEP_EXCHANGE(float)
__LOCKSTEP_EXCHANGE(double)

#define __LOCKSTEP_MATCH(T)                                                                                          \
    __LOCKSTEP_DEVICE __lockstep_mask __match_any_sync(__lockstep_mask mask, T value);                               \
    __LOCKSTEP_DEVICE __lockstep_mask __match_all_sync(__lockstep_mask mask, T value, int *all);
__LOCKSTEP_MATCH(int)
__LOCKSTEP_MATCH(unsigned int)
__LOCKSTEP_MATCH(long)
__LOCKSTEP_MATCH(unsigned long)
__LOCKSTEP_MATCH(long long)
__LOCKSTEP_MATCH(unsigned long long)
__LOCKSTEP_MATCH(float)
__LOCKSTEP_MATCH(double)

/* Without a mask in HIP only. */
#ifdef __LOCKSTEP_HIP_WARP_SIZE
#define __LOCKSTEP_MATCH_ALL_LANES(T)                                                                                \
    __LOCKSTEP_DEVICE __lockstep_mask __match_any(T value);                                                          \
    __LOCKSTEP_DEVICE __lockstep_mask __match_all(T value, int *all);
__LOCKSTEP_MATCH_ALL_LANES(int)
__LOCKSTEP_MATCH_ALL_LANES(unsigned int)
__LOCKSTEP_MATCH_ALL_LANES(long)
__LOCKSTEP_MATCH_ALL_LANES(unsigned long)
__LOCKSTEP_MATCH_ALL_LANES(long long)
__LOCKSTEP_MATCH_ALL_LANES(unsigned long long)
__LOCKSTEP_MATCH_ALL_LANES(float)
__LOCKSTEP_MATCH_ALL_LANES(double)
#endif

#define __LOCKSTEP_REDUCE(T)                                                                                         \
    __LOCKSTEP_DEVICE T __reduce_add_sync(__lockstep_mask mask, T value);                                            \
    __LOCKSTEP_DEVICE T __reduce_min_sync(__lockstep_mask mask, T value);                                            \
    __LOCKSTEP_DEVICE T __reduce_max_sync(__lockstep_mask mask, T value);
__LOCKSTEP_REDUCE(int)
__LOCKSTEP_REDUCE(unsigned int)
__LOCKSTEP_DEVICE unsigned int __reduce_and_sync(__lockstep_mask mask, unsigned int value);
__LOCKSTEP_DEVICE unsigned int __reduce_or_sync(__lockstep_mask mask, unsigned int value);
__LOCKSTEP_DEVICE unsigned int __reduce_xor_sync(__lockstep_mask mask, unsigned int value);

__LOCKSTEP_DEVICE void __nanosleep(unsigned int nanoseconds);

#endif
