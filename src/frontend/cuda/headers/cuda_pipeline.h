/* Copies by a thread that go on beside it, of 4, 8 or 16 bytes. */
#ifndef LOCKSTEP_CUDA_PIPELINE
#define LOCKSTEP_CUDA_PIPELINE
#pragma clang system_header

__LOCKSTEP_DEVICE void __lockstep_refused_memcpy_async();

#define __LOCKSTEP_GLOBAL(POINTER) (const __attribute__((address_space(1))) void *)POINTER
#define __LOCKSTEP_LOCAL(POINTER) (__attribute__((address_space(3))) void *)POINTER
#define __LOCKSTEP_COPY(BYTES)                                                                                       \
    __LOCKSTEP_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes)                         \
        __attribute__((enable_if(bytes == BYTES, ""))) {                                                             \
        __nvvm_cp_async_ca_shared_global_##BYTES(__LOCKSTEP_LOCAL(to), __LOCKSTEP_GLOBAL(from));                     \
    }                                                                                                                \
    __LOCKSTEP_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros)           \
        __attribute__((enable_if(bytes == BYTES, ""))) {                                                             \
        __nvvm_cp_async_ca_shared_global_##BYTES(__LOCKSTEP_LOCAL(to), __LOCKSTEP_GLOBAL(from), BYTES - (int)zeros); \
    }
__LOCKSTEP_COPY(4)
__LOCKSTEP_COPY(8)
__LOCKSTEP_COPY(16)
__LOCKSTEP_INLINE void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0) {
    __lockstep_refused_memcpy_async();
}
__LOCKSTEP_INLINE void __pipeline_commit() { __nvvm_cp_async_commit_group(); }
#define __pipeline_wait_prior(count) __nvvm_cp_async_wait_group(count)

#endif
