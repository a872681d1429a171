// CUDA's names for Clang without a toolkit. nvcc and NVRTC have names of their own.
#pragma once
#if defined(__clang__) && !defined(__NVCC__) && !defined(__CUDACC_RTC__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
// Clang does not print where a function was inlined. Without lines of its own it has the call's.
#define __forceinline__ inline __attribute__((always_inline, nodebug))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
};
#include <__clang_cuda_builtin_vars.h>

__device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }
__device__ __forceinline__ void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
__device__ __forceinline__ int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ __forceinline__ unsigned atomicAdd(unsigned *p, unsigned v) { return __nvvm_atom_add_gen_i((int *)p, v); }
__device__ __forceinline__ float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
__device__ __forceinline__ unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
__device__ __forceinline__ int __shfl_down_sync(unsigned mask, int v, unsigned by)
{
    return __nvvm_shfl_sync_down_i32(mask, v, by, 31);
}
__device__ __forceinline__ float __shfl_down_sync(unsigned mask, float v, unsigned by)
{
    return __nvvm_shfl_sync_down_f32(mask, v, by, 31);
}
__device__ __forceinline__ float __shfl_xor_sync(unsigned mask, float v, unsigned by)
{
    return __nvvm_shfl_sync_bfly_f32(mask, v, by, 31);
}
__device__ __forceinline__ int __shfl_sync(unsigned mask, int v, unsigned from)
{
    return __nvvm_shfl_sync_idx_i32(mask, v, from, 31);
}
__device__ __forceinline__ unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__device__ __forceinline__ int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__device__ __forceinline__ int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__device__ __forceinline__ int __popc(unsigned v) { return __builtin_popcount(v); }
#endif
