/* cuda::atomic, cuda::atomic_ref and fences, with the orderings and scopes of libcu++. */
#ifndef LOCKSTEP_CUDA_ATOMIC
#define LOCKSTEP_CUDA_ATOMIC
#pragma clang system_header
#include "lockstep/any.h"

/* What Lockstep knows: operations on what has a machine's type, their ordering and scope as numbers. */
#define __LOCKSTEP_ACCESS(T)                                                                                          \
    __LOCKSTEP_DEVICE T __lockstep_atomic_load(const volatile T *address, int order, int scope);                      \
    __LOCKSTEP_DEVICE void __lockstep_atomic_store(volatile T *address, T value, int order, int scope);               \
    __LOCKSTEP_DEVICE T __lockstep_atomic_exchange(volatile T *address, T value, int order, int scope);               \
    __LOCKSTEP_DEVICE T __lockstep_atomic_compare_exchange(volatile T *address, T expected, T value, int order, int failing, int scope);
__LOCKSTEP_ACCESS(unsigned char)
__LOCKSTEP_ACCESS(unsigned short)
__LOCKSTEP_ACCESS(unsigned int)
__LOCKSTEP_ACCESS(unsigned long long)
#undef __LOCKSTEP_ACCESS

#define __LOCKSTEP_CHANGE(NAME, T)                                                                                    \
    __LOCKSTEP_DEVICE T __lockstep_atomic_##NAME(volatile T *address, T value, int order, int scope);
#define __LOCKSTEP_CHANGES(T)                                                                                         \
    __LOCKSTEP_CHANGE(add, T)                                                                                         \
    __LOCKSTEP_CHANGE(sub, T)                                                                                         \
    __LOCKSTEP_CHANGE(and_, T)                                                                                         \
    __LOCKSTEP_CHANGE(or_, T)                                                                                          \
    __LOCKSTEP_CHANGE(xor_, T)                                                                                         \
    __LOCKSTEP_CHANGE(min, T)                                                                                         \
    __LOCKSTEP_CHANGE(max, T)
__LOCKSTEP_CHANGES(signed char)
__LOCKSTEP_CHANGES(unsigned char)
__LOCKSTEP_CHANGES(short)
__LOCKSTEP_CHANGES(unsigned short)
__LOCKSTEP_CHANGES(int)
__LOCKSTEP_CHANGES(unsigned int)
__LOCKSTEP_CHANGES(long)
__LOCKSTEP_CHANGES(unsigned long)
__LOCKSTEP_CHANGES(long long)
__LOCKSTEP_CHANGES(unsigned long long)
__LOCKSTEP_CHANGE(add, float)
__LOCKSTEP_CHANGE(sub, float)
__LOCKSTEP_CHANGE(add, double)
__LOCKSTEP_CHANGE(sub, double)
#undef __LOCKSTEP_CHANGES
#undef __LOCKSTEP_CHANGE

__LOCKSTEP_DEVICE void __lockstep_atomic_fence(int order, int scope);

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace __lockstep {

template <unsigned long Bytes> struct bits;
template <> struct bits<1> { using type = unsigned char; };
template <> struct bits<2> { using type = unsigned short; };
template <> struct bits<4> { using type = unsigned int; };
template <> struct bits<8> { using type = unsigned long long; };

template <class T> struct plain { using type = T; };
template <class T> struct plain<const T> { using type = T; };

/* The order of an exchange that fails, where it is not given: without what a store would release. */
__host__ __device__ constexpr memory_order failing(memory_order order)
{
    return order == memory_order_release ? memory_order_relaxed : order == memory_order_acq_rel ? memory_order_acquire : order;
}

/* What atomics and references to them have in common: operations on the object at an address. */
template <class T, thread_scope Scope> struct operations {
    using word = typename bits<sizeof(T)>::type;

    static __host__ __device__ word to_word(T value)
    {
        word result;
        __builtin_memcpy(&result, &value, sizeof(T));
        return result;
    }
    static __host__ __device__ T from_word(word value)
    {
        T result;
        __builtin_memcpy(&result, &value, sizeof(T));
        return result;
    }
#ifdef __CUDA_ARCH__
    static __device__ T load(const volatile T *at, memory_order order)
    {
        return from_word(__lockstep_atomic_load((const volatile word *)at, order, Scope));
    }
    static __device__ void store(volatile T *at, T value, memory_order order)
    {
        __lockstep_atomic_store((volatile word *)at, to_word(value), order, Scope);
    }
    static __device__ T exchange(volatile T *at, T value, memory_order order)
    {
        return from_word(__lockstep_atomic_exchange((volatile word *)at, to_word(value), order, Scope));
    }
    static __device__ bool compare_exchange(volatile T *at, T &expected, T value, memory_order order, memory_order failing)
    {
        const word wanted = to_word(expected);
        const word found =
            __lockstep_atomic_compare_exchange((volatile word *)at, wanted, to_word(value), order, failing, Scope);
        expected = from_word(found);
        return found == wanted;
    }
    /* It may fail for no reason; then it is a load. In runs it does not. */
    static __device__ bool compare_exchange_weak(volatile T *at, T &expected, T value, memory_order order,
                                                 memory_order failing)
    {
        if (__lockstep_choice(0u) != 0) {
            expected = load(at, failing);
            return false;
        }
        return compare_exchange(at, expected, value, order, failing);
    }
#define __LOCKSTEP_CHANGE(NAME)                                                                                       \
    static __device__ T NAME(volatile T *at, T value, memory_order order)                                             \
    {                                                                                                                 \
        return __lockstep_atomic_##NAME(at, value, order, Scope);                                                     \
    }
#else
    static T load(const volatile T *at, memory_order) { return *at; }
    static void store(volatile T *at, T value, memory_order) { *at = value; }
    static T exchange(volatile T *at, T value, memory_order) { return value; }
    static bool compare_exchange(volatile T *at, T &expected, T value, memory_order, memory_order) { return true; }
    static bool compare_exchange_weak(volatile T *at, T &expected, T value, memory_order, memory_order) { return true; }
#define __LOCKSTEP_CHANGE(NAME)                                                                                       \
    static T NAME(volatile T *at, T value, memory_order) { return value; }
#endif
    __LOCKSTEP_CHANGE(add)
    __LOCKSTEP_CHANGE(sub)
    __LOCKSTEP_CHANGE(and_)
    __LOCKSTEP_CHANGE(or_)
    __LOCKSTEP_CHANGE(xor_)
    __LOCKSTEP_CHANGE(min)
    __LOCKSTEP_CHANGE(max)
#undef __LOCKSTEP_CHANGE
};

/* The members, of an object that `address()` points to. */
template <class Self, class T, thread_scope Scope> struct members {
    using value_type = T;
    using on = operations<T, Scope>;

    __host__ __device__ volatile T *at() const volatile { return ((const Self *)this)->address(); }

    __host__ __device__ bool is_lock_free() const volatile { return true; }
    __host__ __device__ T load(memory_order order = memory_order_seq_cst) const volatile { return on::load(at(), order); }
    __host__ __device__ operator T() const volatile { return load(); }
    __host__ __device__ void store(T value, memory_order order = memory_order_seq_cst) volatile
    {
        on::store(at(), value, order);
    }
    __host__ __device__ T exchange(T value, memory_order order = memory_order_seq_cst) volatile
    {
        return on::exchange(at(), value, order);
    }
    __host__ __device__ bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst) volatile
    {
        return on::compare_exchange(at(), expected, value, order, __lockstep::failing(order));
    }
    __host__ __device__ bool compare_exchange_strong(T &expected, T value, memory_order order, memory_order failing) volatile
    {
        return on::compare_exchange(at(), expected, value, order, failing);
    }
    __host__ __device__ bool compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst) volatile
    {
        return on::compare_exchange_weak(at(), expected, value, order, __lockstep::failing(order));
    }
    __host__ __device__ bool compare_exchange_weak(T &expected, T value, memory_order order, memory_order failing) volatile
    {
        return on::compare_exchange_weak(at(), expected, value, order, failing);
    }
    __host__ __device__ void wait(T old, memory_order order = memory_order_seq_cst) const volatile
    {
        while (on::to_word(on::load(at(), order)) == on::to_word(old)) {
        }
    }
    __host__ __device__ void notify_one() volatile {}
    __host__ __device__ void notify_all() volatile {}

#define __LOCKSTEP_ATOMIC_MEMBER(NAME, CHANGE)                                                                               \
    __host__ __device__ T NAME(T value, memory_order order = memory_order_seq_cst) volatile                           \
    {                                                                                                                 \
        return on::CHANGE(at(), value, order);                                                                        \
    }
    __LOCKSTEP_ATOMIC_MEMBER(fetch_add, add)
    __LOCKSTEP_ATOMIC_MEMBER(fetch_sub, sub)
    __LOCKSTEP_ATOMIC_MEMBER(fetch_and, and_)
    __LOCKSTEP_ATOMIC_MEMBER(fetch_or, or_)
    __LOCKSTEP_ATOMIC_MEMBER(fetch_xor, xor_)
    __LOCKSTEP_ATOMIC_MEMBER(fetch_min, min)
    __LOCKSTEP_ATOMIC_MEMBER(fetch_max, max)
#undef __LOCKSTEP_ATOMIC_MEMBER

    __host__ __device__ T operator++() volatile { return fetch_add(T(1)) + T(1); }
    __host__ __device__ T operator--() volatile { return fetch_sub(T(1)) - T(1); }
    __host__ __device__ T operator++(int) volatile { return fetch_add(T(1)); }
    __host__ __device__ T operator--(int) volatile { return fetch_sub(T(1)); }
    __host__ __device__ T operator+=(T value) volatile { return fetch_add(value) + value; }
    __host__ __device__ T operator-=(T value) volatile { return fetch_sub(value) - value; }
    __host__ __device__ T operator&=(T value) volatile { return fetch_and(value) & value; }
    __host__ __device__ T operator|=(T value) volatile { return fetch_or(value) | value; }
    __host__ __device__ T operator^=(T value) volatile { return fetch_xor(value) ^ value; }
};

} // namespace __lockstep

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : __lockstep::members<atomic<T, Scope>, T, Scope> {
    atomic() = default;
    __host__ __device__ constexpr atomic(T value) : held(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    __host__ __device__ T operator=(T value) volatile
    {
        this->store(value);
        return value;
    }
    __host__ __device__ volatile T *address() const { return (volatile T *)&held; }

  private:
    T held;
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : __lockstep::members<atomic_ref<T, Scope>, T, Scope> {
    __host__ __device__ explicit atomic_ref(T &object) : object(&object) {}
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    __host__ __device__ T operator=(T value) const
    {
        ((volatile atomic_ref *)this)->store(value);
        return value;
    }
    __host__ __device__ volatile T *address() const { return object; }

  private:
    T *object;
};

__host__ __device__ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
#ifdef __CUDA_ARCH__
    __lockstep_atomic_fence(order, scope);
#endif
}
__host__ __device__ inline void atomic_signal_fence(memory_order) {}

namespace std {
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::atomic_signal_fence;
__host__ __device__ inline void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
} // namespace std

} // namespace cuda

#endif
