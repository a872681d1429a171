// Instructions of PTX that CUDA C++ has no names for without a library's headers.
#pragma once
#include "device.h"

// The 32-bit address of shared memory that the instructions below take.
__device__ __forceinline__ unsigned shared_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
    return (unsigned)a;
}

// The 64-bit address of global memory.
__device__ __forceinline__ unsigned long long global_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(a) : "l"(p));
    return a;
}

// Named barriers: `threads` is the number of those that sync and those that arrive.
__device__ __forceinline__ void barrier_sync(unsigned number, unsigned threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ __forceinline__ void barrier_arrive(unsigned number, unsigned threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// Asynchronous copies of 4 and 16 bytes to shared memory.
__device__ __forceinline__ void copy_async_4(void *to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ __forceinline__ void copy_async_16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wait_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Barriers in shared memory.
typedef unsigned long long mbarrier;
__device__ __forceinline__ void mbarrier_init(mbarrier *b, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory");
}
__device__ __forceinline__ void mbarrier_arrive(mbarrier *b)
{
    asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(shared_address(b))
                 : "memory");
}
__device__ __forceinline__ void mbarrier_arrive_expect(mbarrier *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory");
}

// Waits by a loop that C++ prints. Before compute capability 9.0 it does not sleep.
__device__ __forceinline__ bool mbarrier_try_wait(mbarrier *b, unsigned parity)
{
    unsigned done;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
#else
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
#endif
                 : "=r"(done)
                 : "r"(shared_address(b)), "r"(parity)
                 : "memory");
    return done;
}
__device__ __forceinline__ void mbarrier_wait_by_loop(mbarrier *b, unsigned parity)
{
    while (!mbarrier_try_wait(b, parity)) {
    }
}

// Waits by a loop inside of one inline assembly, whose labels repeat in braces.
__device__ __forceinline__ void mbarrier_wait(mbarrier *b, unsigned parity)
{
    asm volatile("{\n\t.reg .pred p;\n\tWAIT:\n\tmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n\t"
                 "@p bra DONE;\n\tbra WAIT;\n\tDONE:\n\t}" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}

// Bulk copies.
__device__ __forceinline__ void copy_bulk(void *to, const void *from, unsigned bytes, mbarrier *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(b))
                 : "memory");
}
__device__ __forceinline__ void copy_bulk_back(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)),
                 "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ void commit_bulk_copies() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wait_bulk_copies_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void fence_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Clusters.
__device__ __forceinline__ unsigned cluster_rank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ unsigned cluster_size()
{
    unsigned size;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ __forceinline__ unsigned cluster_address(const void *p, unsigned rank)
{
    unsigned address;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(p)), "r"(rank));
    return address;
}
__device__ __forceinline__ float load_cluster(unsigned address)
{
    float value;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(address) : "memory");
    return value;
}
