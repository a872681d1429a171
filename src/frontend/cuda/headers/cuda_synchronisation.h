/* What libcu++ has for threads to wait for each other and for copies. A barrier of a block, a pipeline of one thread, and
   copies for it, have bodies; the rest is declared, so that a file compiles, and refused by name where a kernel uses it. */
#ifndef LOCKSTEP_CUDA_SYNCHRONISATION
#define LOCKSTEP_CUDA_SYNCHRONISATION
#pragma clang system_header
#include "cuda/atomic"
#include "lockstep/copies.h"
#include "lockstep/phases.h"
#include "cooperative_groups.h"

__LOCKSTEP_ANYWHERE void __lockstep_refused_cuda_barrier(), __lockstep_refused_cuda_pipeline(),
    __lockstep_refused_cuda_counting_semaphore(), __lockstep_refused_cuda_latch(), __lockstep_refused_cuda_memcpy_async();

namespace cuda {

/* A member that is refused, with any arguments. */
#define __LOCKSTEP_REFUSED(WHAT, T, NAME)                                                                            \
    template <class... A> __LOCKSTEP_OF_BOTH T NAME(A &&...) const {                                                 \
        __lockstep_refused_cuda_##WHAT();                                                                            \
        return T();                                                                                                  \
    }                                                                                                                \
    template <class... A> __LOCKSTEP_OF_BOTH T NAME(A &&...) const volatile {                                        \
        __lockstep_refused_cuda_##WHAT();                                                                            \
        return T();                                                                                                  \
    }
/* A class that can be a shared variable, and whose own constructor with arguments is refused. */
#define __LOCKSTEP_CLASS(WHAT, NAME)                                                                                 \
    NAME() = default;                                                                                                \
    NAME(const NAME &) = delete;                                                                                     \
    NAME &operator=(const NAME &) = delete;                                                                          \
    __LOCKSTEP_OF_BOTH NAME(ptrdiff_t) { __lockstep_refused_cuda_##WHAT(); }

namespace std {
struct __empty_completion {
    __LOCKSTEP_OF_BOTH void operator()() {}
};
} // namespace std

template <thread_scope Scope = thread_scope_system, class F = std::__empty_completion> struct barrier {
    struct arrival_token {};
    __LOCKSTEP_CLASS(barrier, barrier)
    template <class C> __LOCKSTEP_OF_BOTH barrier(ptrdiff_t, C &&) { __lockstep_refused_cuda_barrier(); }
    __LOCKSTEP_REFUSED(barrier, arrival_token, arrive)
    __LOCKSTEP_REFUSED(barrier, void, wait)
    __LOCKSTEP_REFUSED(barrier, bool, try_wait)
    __LOCKSTEP_REFUSED(barrier, bool, try_wait_for)
    __LOCKSTEP_REFUSED(barrier, bool, try_wait_until)
    __LOCKSTEP_REFUSED(barrier, bool, try_wait_parity)
    __LOCKSTEP_REFUSED(barrier, void, wait_parity)
    __LOCKSTEP_REFUSED(barrier, void, arrive_and_wait)
    __LOCKSTEP_REFUSED(barrier, void, arrive_and_drop)
    __LOCKSTEP_OF_BOTH static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

private:
    alignas(8) unsigned long long held;
};
/* Of a block: in shared memory, an mbarrier of PTX. It has one count, that of its initialisation. */
template <> struct barrier<thread_scope_block, std::__empty_completion> {
    using arrival_token = unsigned long long;
    __LOCKSTEP_CLASS(barrier, barrier)
    [[nodiscard]] __LOCKSTEP_OF_BOTH arrival_token arrive(ptrdiff_t update = 1) {
        return __lockstep_mbarrier_arrive(&__lockstep_held, update);
    }
    __LOCKSTEP_OF_BOTH void wait(arrival_token &&token) const { __lockstep_mbarrier_wait(&__lockstep_held, token); }
    __LOCKSTEP_OF_BOTH void arrive_and_wait() { wait(arrive()); }
    __LOCKSTEP_OF_BOTH bool try_wait(arrival_token &&token) const { return __lockstep_mbarrier_test(&__lockstep_held, token); }
    __LOCKSTEP_OF_BOTH void wait_parity(bool parity) const { __lockstep_mbarrier_wait_parity(&__lockstep_held, parity); }
    __LOCKSTEP_OF_BOTH bool try_wait_parity(bool parity) const { return __lockstep_mbarrier_test_parity(&__lockstep_held, parity); }
    __LOCKSTEP_REFUSED(barrier, bool, try_wait_for)
    __LOCKSTEP_REFUSED(barrier, bool, try_wait_until)
    __LOCKSTEP_REFUSED(barrier, void, arrive_and_drop)
    __LOCKSTEP_OF_BOTH static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

    alignas(8) unsigned long long __lockstep_held;
};
template <class C> __LOCKSTEP_BOTH void init(barrier<thread_scope_block> *own, C expected) {
    __lockstep_mbarrier_init(&own->__lockstep_held, expected);
}
template <thread_scope S, class F, class... A> __LOCKSTEP_BOTH void init(barrier<S, F> *, A &&...) {
    __lockstep_refused_cuda_barrier();
}

template <thread_scope Scope = thread_scope_system> struct latch {
    __LOCKSTEP_CLASS(latch, latch)
    __LOCKSTEP_REFUSED(latch, void, count_down)
    __LOCKSTEP_REFUSED(latch, bool, try_wait)
    __LOCKSTEP_REFUSED(latch, void, wait)
    __LOCKSTEP_REFUSED(latch, void, arrive_and_wait)

private:
    long long held;
};
template <thread_scope S, class... A> __LOCKSTEP_BOTH void init(latch<S> *, A &&...) { __lockstep_refused_cuda_latch(); }

template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = 0x7fffffff> struct counting_semaphore {
    __LOCKSTEP_CLASS(counting_semaphore, counting_semaphore)
    __LOCKSTEP_REFUSED(counting_semaphore, void, acquire)
    __LOCKSTEP_REFUSED(counting_semaphore, void, release)
    __LOCKSTEP_REFUSED(counting_semaphore, bool, try_acquire)
    __LOCKSTEP_REFUSED(counting_semaphore, bool, try_acquire_for)
    __LOCKSTEP_REFUSED(counting_semaphore, bool, try_acquire_until)
    __LOCKSTEP_OF_BOTH static constexpr ptrdiff_t max() { return Most; }

private:
    long long held;
};
template <thread_scope Scope = thread_scope_system> using binary_semaphore = counting_semaphore<Scope, 1>;

enum class pipeline_role { producer, consumer };
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;

private:
    alignas(8) unsigned char held[16 * Stages];
};
template <thread_scope Scope> struct pipeline {
    __LOCKSTEP_REFUSED(pipeline, void, producer_acquire)
    __LOCKSTEP_REFUSED(pipeline, void, producer_commit)
    __LOCKSTEP_REFUSED(pipeline, void, consumer_wait)
    __LOCKSTEP_REFUSED(pipeline, bool, consumer_wait_for)
    __LOCKSTEP_REFUSED(pipeline, bool, consumer_wait_until)
    __LOCKSTEP_REFUSED(pipeline, void, consumer_release)
    __LOCKSTEP_REFUSED(pipeline, bool, quit)
};
/* Of one thread: its batches of copies are the stages. Acquiring and releasing them is not said to wait for anything
   that the thread itself has done. Nor is it said when there is something to wait for in a stage that nothing has been
   committed to: nothing, and the stage stays the current one. */
template <> struct pipeline<thread_scope_thread> {
    enum class __lockstep_made { by_a_function };
    __LOCKSTEP_OF_BOTH explicit pipeline(__lockstep_made) {}
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    __LOCKSTEP_OF_BOTH void producer_acquire() {}
    __LOCKSTEP_OF_BOTH void producer_commit() {
        __lockstep_commit_async();
        ++__lockstep_committed;
    }
    __LOCKSTEP_OF_BOTH void consumer_wait() {
        if (__lockstep_committed == __lockstep_consumed) return;
        __lockstep_wait_async(__lockstep_committed - __lockstep_consumed - 1);
        ++__lockstep_consumed;
    }
    __LOCKSTEP_OF_BOTH void consumer_release() {}
    __LOCKSTEP_REFUSED(pipeline, bool, consumer_wait_for)
    __LOCKSTEP_REFUSED(pipeline, bool, consumer_wait_until)
    __LOCKSTEP_REFUSED(pipeline, bool, quit)

    ::size_t __lockstep_committed = 0, __lockstep_consumed = 0;
};
__LOCKSTEP_BOTH pipeline<thread_scope_thread> make_pipeline() {
    typedef pipeline<thread_scope_thread> own;
    return own(own::__lockstep_made::by_a_function);
}
template <class G, thread_scope S, unsigned char N, class... A>
__LOCKSTEP_BOTH pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, A &&...) {
    return __lockstep_refused_cuda_pipeline(), pipeline<S>();
}
template <unsigned char Prior> __LOCKSTEP_BOTH void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &own) {
    __lockstep_wait_async(Prior);
    own.__lockstep_consumed = own.__lockstep_committed - Prior;
}
template <unsigned char Prior, thread_scope S> __LOCKSTEP_BOTH void pipeline_consumer_wait_prior(pipeline<S> &) {
    __lockstep_refused_cuda_pipeline();
}
template <class... A> __LOCKSTEP_BOTH void pipeline_producer_commit(A &&...) { __lockstep_refused_cuda_pipeline(); }

/* Copies that a barrier or a pipeline waits for. */
template <::size_t Alignment> struct aligned_size_t {
    static constexpr ::size_t align = Alignment;
    ::size_t value;
    __LOCKSTEP_OF_BOTH constexpr explicit aligned_size_t(::size_t value) : value(value) {}
    __LOCKSTEP_OF_BOTH constexpr operator ::size_t() const { return value; }
};
/* The groups whose threads share a copy in a way that is modelled: a thread, and a block. */
template <class G> struct __lockstep_sharing { static constexpr bool is_modelled = false, is_shared = false; };
template <> struct __lockstep_sharing<cooperative_groups::thread> {
    static constexpr bool is_modelled = true, is_shared = false;
};
template <> struct __lockstep_sharing<cooperative_groups::thread_block> {
    static constexpr bool is_modelled = true, is_shared = true;
};
/* A barrier's copies are refused, and so are those for a pipeline of more than a thread. */
template <class Sync> struct __lockstep_of_thread { static constexpr bool value = false; };
template <> struct __lockstep_of_thread<pipeline<thread_scope_thread>> { static constexpr bool value = true; };
template <class G, class T, class S, class Sync> __LOCKSTEP_BOTH void __lockstep_copy(void *to, const void *from, S size) {
    if constexpr (!__lockstep_of_thread<Sync>::value || !__lockstep_sharing<G>::is_modelled) {
        __lockstep_refused_cuda_memcpy_async();
    } else if constexpr (__lockstep_sharing<G>::is_shared) {
        __lockstep_share_copy_async(to, from, size, __lockstep_aligned<T, S>::value);
    } else {
        __lockstep_copy_async(to, from, size, __lockstep_aligned<T, S>::value);
    }
}
template <class G, class T, class S, class Sync>
__LOCKSTEP_BOTH void memcpy_async(const G &, T *to, const T *from, S size, Sync &) {
    __lockstep_copy<G, T, S, Sync>(to, from, size);
}
template <class G, class S, class Sync>
__LOCKSTEP_BOTH void memcpy_async(const G &, void *to, const void *from, S size, Sync &) {
    __lockstep_copy<G, void, S, Sync>(to, from, size);
}
template <class T, class S, class Sync> __LOCKSTEP_BOTH void memcpy_async(T *to, const T *from, S size, Sync &) {
    __lockstep_copy<cooperative_groups::thread, T, S, Sync>(to, from, size);
}
template <class S, class Sync> __LOCKSTEP_BOTH void memcpy_async(void *to, const void *from, S size, Sync &) {
    __lockstep_copy<cooperative_groups::thread, void, S, Sync>(to, from, size);
}

namespace device {
template <class F> __LOCKSTEP_BOTH unsigned long long *barrier_native_handle(barrier<thread_scope_block, F> &) {
    return __lockstep_refused_cuda_barrier(), nullptr;
}
template <class... A>
__LOCKSTEP_BOTH barrier<thread_scope_block>::arrival_token barrier_arrive_tx(A &&...) {
    return __lockstep_refused_cuda_barrier(), barrier<thread_scope_block>::arrival_token();
}
template <class... A> __LOCKSTEP_BOTH void barrier_expect_tx(A &&...) { __lockstep_refused_cuda_barrier(); }
template <class... A> __LOCKSTEP_BOTH void memcpy_async_tx(A &&...) { __lockstep_refused_cuda_memcpy_async(); }
} // namespace device

namespace std {
template <class F = __empty_completion> using barrier = ::cuda::barrier<thread_scope_system, F>;
using latch = ::cuda::latch<thread_scope_system>;
template <ptrdiff_t Most = 0x7fffffff> using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;
} // namespace std

#undef __LOCKSTEP_CLASS
#undef __LOCKSTEP_REFUSED

} // namespace cuda

#endif
