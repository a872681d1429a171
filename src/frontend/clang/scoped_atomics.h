/* Atomics of Clang's whose scope or ordering is gone from the code that Clang 19 makes for SPIR and NVPTX, made functions of
   ours that hand it on. (src/frontend/builtins/atomics.rs knows them; builtins.txt says which these are.) Each name is a macro
   without parameters, so that (name)(…) means the same. A source that takes such a macro away and uses the name is refused:
   src/frontend/clang/erased.rs looks for what is left of them. */
#pragma clang system_header

/* Whose numbers a scope is given in. */
#define __LOCKSTEP_SCOPES_OF_CUDA 0
#define __LOCKSTEP_SCOPES_OF_CLANG 1
#define __LOCKSTEP_SCOPES_OF_HIP 2

#if defined(__OPENCL_C_VERSION__)

#define __LOCKSTEP_OF_WORD(S, T)                                                                                      \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_load(const volatile S T *, int, int, int);                             \
    void __LOCKSTEP_OVERLOADED __lockstep_builtin_store(volatile S T *, T, int, int, int);                            \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_exchange(volatile S T *, T, int, int, int);                            \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_add(volatile S T *, T, int, int, int);                                 \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_sub(volatile S T *, T, int, int, int);                                 \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_min(volatile S T *, T, int, int, int);                                 \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_max(volatile S T *, T, int, int, int);
#define __LOCKSTEP_OF_INTEGER(S, T)                                                                                   \
    __LOCKSTEP_OF_WORD(S, T)                                                                                          \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_compare_exchange(volatile S T *, T, T, int, int, int, int);                 \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_and_(volatile S T *, T, int, int, int);                                \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_or_(volatile S T *, T, int, int, int);                                 \
    T __LOCKSTEP_OVERLOADED __lockstep_builtin_xor_(volatile S T *, T, int, int, int);
#ifdef cl_khr_fp64
#define __LOCKSTEP_OF_DOUBLE(S) __LOCKSTEP_OF_WORD(S, double)
#else
#define __LOCKSTEP_OF_DOUBLE(S)
#endif
#define __LOCKSTEP_OF_SPACE(S)                                                                                        \
    __LOCKSTEP_OF_INTEGER(S, char)                                                                                    \
    __LOCKSTEP_OF_INTEGER(S, uchar)                                                                                   \
    __LOCKSTEP_OF_INTEGER(S, short)                                                                                   \
    __LOCKSTEP_OF_INTEGER(S, ushort)                                                                                  \
    __LOCKSTEP_OF_INTEGER(S, int)                                                                                     \
    __LOCKSTEP_OF_INTEGER(S, uint)                                                                                    \
    __LOCKSTEP_OF_INTEGER(S, long)                                                                                    \
    __LOCKSTEP_OF_INTEGER(S, ulong)                                                                                   \
    __LOCKSTEP_OF_WORD(S, float)                                                                                      \
    __LOCKSTEP_OF_DOUBLE(S)
__LOCKSTEP_OF_SPACE(__global)
__LOCKSTEP_OF_SPACE(__local)
__LOCKSTEP_OF_SPACE(__private)
#if __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_generic_address_space)
__LOCKSTEP_OF_SPACE(__generic)
#endif
#undef __LOCKSTEP_OF_SPACE
#undef __LOCKSTEP_OF_DOUBLE
#undef __LOCKSTEP_OF_INTEGER
#undef __LOCKSTEP_OF_WORD
bool __LOCKSTEP_OVERLOADED __lockstep_builtin_may_fail(bool);
void __LOCKSTEP_OVERLOADED __lockstep_builtin_fence(int, int, int);

/* The scheme comes first, as what a caller leaves out comes last. */
#define __lockstep_load_n(scheme, p, order, scope) __lockstep_builtin_load(p, order, scope, scheme)
#define __lockstep_store_n(scheme, p, value, order, scope) __lockstep_builtin_store(p, value, order, scope, scheme)
#define __lockstep_exchange_n(scheme, p, value, order, scope) __lockstep_builtin_exchange(p, value, order, scope, scheme)
#define __lockstep_load(scheme, p, to, order, scope) ((void)(*(to) = __lockstep_load_n(scheme, p, order, scope)))
#define __lockstep_store(scheme, p, from, order, scope) __lockstep_store_n(scheme, p, *(from), order, scope)
#define __lockstep_exchange(scheme, p, from, to, order, scope)                                                        \
    ((void)(*(to) = __lockstep_exchange_n(scheme, p, *(from), order, scope)))
#define __lockstep_compare_exchange_n(scheme, p, expected, value, weak, success, failure, scope)                      \
    __extension__({                                                                                                   \
        __auto_type __lockstep_expected = (expected);                                                                 \
        __auto_type __lockstep_wanted = *__lockstep_expected;                                                         \
        __auto_type __lockstep_found =                                                                                \
            __lockstep_builtin_compare_exchange(p, __lockstep_wanted, value, success, failure, scope, scheme);        \
        *__lockstep_expected = __lockstep_found;                                                                      \
        (bool)((__lockstep_found == __lockstep_wanted) & !__lockstep_builtin_may_fail(weak));                          \
    })
#define __lockstep_compare_exchange(scheme, p, expected, from, weak, success, failure, scope)                         \
    __lockstep_compare_exchange_n(scheme, p, expected, *(from), weak, success, failure, scope)
#define __lockstep_compare_exchange_strong(scheme, p, expected, value, success, failure, scope)                                        \
    __lockstep_compare_exchange_n(scheme, p, expected, value, 0, success, failure, scope)
#define __lockstep_compare_exchange_weak(scheme, p, expected, value, success, failure, scope)                                          \
    __lockstep_compare_exchange_n(scheme, p, expected, value, 1, success, failure, scope)
#define __lockstep_fetch_add(scheme, p, value, order, scope) __lockstep_builtin_add(p, value, order, scope, scheme)
#define __lockstep_fetch_sub(scheme, p, value, order, scope) __lockstep_builtin_sub(p, value, order, scope, scheme)
#define __lockstep_fetch_and(scheme, p, value, order, scope) __lockstep_builtin_and_(p, value, order, scope, scheme)
#define __lockstep_fetch_or(scheme, p, value, order, scope) __lockstep_builtin_or_(p, value, order, scope, scheme)
#define __lockstep_fetch_xor(scheme, p, value, order, scope) __lockstep_builtin_xor_(p, value, order, scope, scheme)
#define __lockstep_fetch_min(scheme, p, value, order, scope) __lockstep_builtin_min(p, value, order, scope, scheme)
#define __lockstep_fetch_max(scheme, p, value, order, scope) __lockstep_builtin_max(p, value, order, scope, scheme)
/* The new value, in the type of the object. */
#define __LOCKSTEP_NEW(NAME, scheme, p, value, order, scope, result)                                                  \
    __extension__({                                                                                                   \
        __auto_type __lockstep_value = (value);                                                                       \
        __auto_type __lockstep_old = __lockstep_builtin_##NAME(p, __lockstep_value, order, scope, scheme);            \
        __lockstep_old = (result);                                                                                    \
        __lockstep_old;                                                                                               \
    })
#define __lockstep_add_fetch(scheme, p, value, order, scope)                                                          \
    __LOCKSTEP_NEW(add, scheme, p, value, order, scope, __lockstep_old + __lockstep_value)
#define __lockstep_sub_fetch(scheme, p, value, order, scope)                                                          \
    __LOCKSTEP_NEW(sub, scheme, p, value, order, scope, __lockstep_old - __lockstep_value)
#define __lockstep_and_fetch(scheme, p, value, order, scope)                                                          \
    __LOCKSTEP_NEW(and_, scheme, p, value, order, scope, __lockstep_old & __lockstep_value)
#define __lockstep_or_fetch(scheme, p, value, order, scope)                                                           \
    __LOCKSTEP_NEW(or_, scheme, p, value, order, scope, __lockstep_old | __lockstep_value)
#define __lockstep_xor_fetch(scheme, p, value, order, scope)                                                          \
    __LOCKSTEP_NEW(xor_, scheme, p, value, order, scope, __lockstep_old ^ __lockstep_value)
#define __lockstep_min_fetch(scheme, p, value, order, scope)                                                          \
    __LOCKSTEP_NEW(min, scheme, p, value, order, scope,                                                               \
                   __lockstep_old < (__typeof__(__lockstep_old))__lockstep_value ? __lockstep_old : __lockstep_value)
#define __lockstep_max_fetch(scheme, p, value, order, scope)                                                          \
    __LOCKSTEP_NEW(max, scheme, p, value, order, scope,                                                               \
                   __lockstep_old > (__typeof__(__lockstep_old))__lockstep_value ? __lockstep_old : __lockstep_value)

/* What stands for Clang's names below. */
#define __lockstep_thread_fence(scheme, order, scope) __lockstep_builtin_fence(order, scope, scheme)
#define __lockstep_scoped_thread_fence(...) __lockstep_thread_fence(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_load_n(...) __lockstep_load_n(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_load(...) __lockstep_load(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_store_n(...) __lockstep_store_n(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_store(...) __lockstep_store(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_exchange_n(...) __lockstep_exchange_n(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_exchange(...) __lockstep_exchange(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_compare_exchange_n(...) __lockstep_compare_exchange_n(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_compare_exchange(...) __lockstep_compare_exchange(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_add(...) __lockstep_fetch_add(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_sub(...) __lockstep_fetch_sub(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_and(...) __lockstep_fetch_and(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_or(...) __lockstep_fetch_or(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_xor(...) __lockstep_fetch_xor(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_min(...) __lockstep_fetch_min(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_fetch_max(...) __lockstep_fetch_max(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_add_fetch(...) __lockstep_add_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_sub_fetch(...) __lockstep_sub_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_and_fetch(...) __lockstep_and_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_or_fetch(...) __lockstep_or_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_xor_fetch(...) __lockstep_xor_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_min_fetch(...) __lockstep_min_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_scoped_max_fetch(...) __lockstep_max_fetch(__LOCKSTEP_SCOPES_OF_CLANG, __VA_ARGS__)
#define __lockstep_hip_load_n(...) __lockstep_load_n(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_store_n(...) __lockstep_store_n(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_exchange_n(...) __lockstep_exchange_n(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_compare_exchange_strong(...) __lockstep_compare_exchange_strong(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_compare_exchange_weak(...) __lockstep_compare_exchange_weak(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_add(...) __lockstep_fetch_add(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_sub(...) __lockstep_fetch_sub(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_and(...) __lockstep_fetch_and(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_or(...) __lockstep_fetch_or(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_xor(...) __lockstep_fetch_xor(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_min(...) __lockstep_fetch_min(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)
#define __lockstep_hip_fetch_max(...) __lockstep_fetch_max(__LOCKSTEP_SCOPES_OF_HIP, __VA_ARGS__)

#define __LOCKSTEP_SCOPED(NAME) __lockstep_scoped_##NAME
#define __LOCKSTEP_HIP(NAME) __lockstep_hip_##NAME

#elif defined(__CUDACC__) || defined(__CUDA__)

extern "C++" {
#pragma clang force_cuda_host_device begin
#define __LOCKSTEP_OF_WORD(T)                                                                                         \
    T __lockstep_builtin_load(const volatile T *, int, int, int);                                                     \
    void __lockstep_builtin_store(volatile T *, T, int, int, int);                                                    \
    T __lockstep_builtin_exchange(volatile T *, T, int, int, int);                                                    \
    T __lockstep_builtin_compare_exchange(volatile T *, T, T, int, int, int, int);
__LOCKSTEP_OF_WORD(unsigned char)
__LOCKSTEP_OF_WORD(unsigned short)
__LOCKSTEP_OF_WORD(unsigned int)
__LOCKSTEP_OF_WORD(unsigned long long)
#undef __LOCKSTEP_OF_WORD

/* An object of a type that no operation has is refused. */
void __lockstep_refused_atomic_of_this_type();
void __lockstep_refused_atomic_nand();
void __lockstep_refused_atomic_of_opencl();
#define __LOCKSTEP_CHANGE(NAME, T) T __lockstep_builtin_##NAME(volatile T *, T, int, int, int);
#define __LOCKSTEP_REFUSED_CHANGE(NAME)                                                                               \
    template <class T> inline __attribute__((always_inline)) T __lockstep_builtin_##NAME(volatile T *, T value, int, int, int) \
    {                                                                                                                 \
        __lockstep_refused_atomic_of_this_type();                                                                     \
        return value;                                                                                                 \
    }
#define __LOCKSTEP_CHANGES(NAME)                                                                                      \
    __LOCKSTEP_REFUSED_CHANGE(NAME)                                                                                   \
    __LOCKSTEP_CHANGE(NAME, signed char)                                                                              \
    __LOCKSTEP_CHANGE(NAME, char)                                                                                     \
    __LOCKSTEP_CHANGE(NAME, unsigned char)                                                                            \
    __LOCKSTEP_CHANGE(NAME, short)                                                                                    \
    __LOCKSTEP_CHANGE(NAME, unsigned short)                                                                           \
    __LOCKSTEP_CHANGE(NAME, int)                                                                                      \
    __LOCKSTEP_CHANGE(NAME, unsigned int)                                                                             \
    __LOCKSTEP_CHANGE(NAME, long)                                                                                     \
    __LOCKSTEP_CHANGE(NAME, unsigned long)                                                                            \
    __LOCKSTEP_CHANGE(NAME, long long)                                                                                \
    __LOCKSTEP_CHANGE(NAME, unsigned long long)
#define __LOCKSTEP_FLOAT_CHANGES(NAME)                                                                                \
    __LOCKSTEP_CHANGES(NAME)                                                                                          \
    __LOCKSTEP_CHANGE(NAME, float)                                                                                    \
    __LOCKSTEP_CHANGE(NAME, double)
__LOCKSTEP_FLOAT_CHANGES(add)
__LOCKSTEP_FLOAT_CHANGES(sub)
__LOCKSTEP_FLOAT_CHANGES(min)
__LOCKSTEP_FLOAT_CHANGES(max)
__LOCKSTEP_CHANGES(and_)
__LOCKSTEP_CHANGES(or_)
__LOCKSTEP_CHANGES(xor_)
__LOCKSTEP_CHANGE(inc, unsigned int)
__LOCKSTEP_CHANGE(dec, unsigned int)
#undef __LOCKSTEP_FLOAT_CHANGES
#undef __LOCKSTEP_CHANGES
#undef __LOCKSTEP_REFUSED_CHANGE
#undef __LOCKSTEP_CHANGE
void __lockstep_builtin_fence(int, int, int);
bool __lockstep_builtin_may_fail(bool);

template <unsigned long Bytes> struct __lockstep_word {
    static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8, "Lockstep knows no atomic access of this size");
};
template <> struct __lockstep_word<1> { typedef unsigned char type; };
template <> struct __lockstep_word<2> { typedef unsigned short type; };
template <> struct __lockstep_word<4> { typedef unsigned int type; };
template <> struct __lockstep_word<8> { typedef unsigned long long type; };
template <class T> struct __lockstep_plain { typedef T type; };
template <class T> struct __lockstep_plain<const T> { typedef T type; };
template <class T> struct __lockstep_plain<volatile T> { typedef T type; };
template <class T> struct __lockstep_plain<const volatile T> { typedef T type; };

#define __LOCKSTEP_HERE inline __attribute__((always_inline)) static
/* Operations whose scopes are numbers of this scheme. A value is of the object's type, and only that is deduced. */
template <int Scheme> struct __lockstep_atomics {
    template <class T> using word = typename __lockstep_word<sizeof(T)>::type;
    template <class T> using plain = typename __lockstep_plain<T>::type;

    template <class T> __LOCKSTEP_HERE word<T> to_word(const T &value)
    {
        word<T> result;
        __builtin_memcpy(&result, &value, sizeof(T));
        return result;
    }
    template <class T> __LOCKSTEP_HERE T from_word(word<T> value)
    {
        T result;
        __builtin_memcpy(&result, &value, sizeof(T));
        return result;
    }

    template <class T> __LOCKSTEP_HERE plain<T> load_n(T *at, int order, int scope = 0)
    {
        return from_word<plain<T> >(__lockstep_builtin_load((const volatile word<T> *)at, order, scope, Scheme));
    }
    template <class T> __LOCKSTEP_HERE void store_n(T *at, plain<T> value, int order, int scope = 0)
    {
        __lockstep_builtin_store((volatile word<T> *)at, to_word<plain<T> >(value), order, scope, Scheme);
    }
    template <class T> __LOCKSTEP_HERE plain<T> exchange_n(T *at, plain<T> value, int order, int scope = 0)
    {
        return from_word<plain<T> >(
            __lockstep_builtin_exchange((volatile word<T> *)at, to_word<plain<T> >(value), order, scope, Scheme));
    }
    template <class T>
    __LOCKSTEP_HERE bool compare_exchange_n(T *at, plain<T> *expected, plain<T> value, bool weak, int success, int failure,
                                            int scope = 0)
    {
        const word<T> wanted = to_word<plain<T> >(*expected);
        const word<T> found = __lockstep_builtin_compare_exchange(
            (volatile word<T> *)at, wanted, to_word<plain<T> >(value), success, failure, scope, Scheme);
        *expected = from_word<plain<T> >(found);
        return (found == wanted) & !__lockstep_builtin_may_fail(weak);
    }
    template <class T> __LOCKSTEP_HERE void load(T *at, plain<T> *to, int order, int scope = 0)
    {
        *to = load_n(at, order, scope);
    }
    template <class T> __LOCKSTEP_HERE void store(T *at, const plain<T> *from, int order, int scope = 0)
    {
        store_n(at, *from, order, scope);
    }
    template <class T> __LOCKSTEP_HERE void exchange(T *at, const plain<T> *from, plain<T> *to, int order, int scope = 0)
    {
        *to = exchange_n(at, *from, order, scope);
    }
    template <class T>
    __LOCKSTEP_HERE bool compare_exchange(T *at, plain<T> *expected, const plain<T> *from, bool weak, int success,
                                          int failure, int scope = 0)
    {
        return compare_exchange_n(at, expected, *from, weak, success, failure, scope);
    }
    template <class T>
    __LOCKSTEP_HERE bool compare_exchange_strong(T *at, plain<T> *expected, plain<T> value, int success, int failure,
                                                 int scope)
    {
        return compare_exchange_n(at, expected, value, false, success, failure, scope);
    }
    template <class T>
    __LOCKSTEP_HERE bool compare_exchange_weak(T *at, plain<T> *expected, plain<T> value, int success, int failure,
                                               int scope)
    {
        return compare_exchange_n(at, expected, value, true, success, failure, scope);
    }
/* The old value, the new one, none. */
#define __LOCKSTEP_CHANGE(NAME, CHANGE, NEW)                                                                          \
    template <class T> __LOCKSTEP_HERE plain<T> fetch_##NAME(T *at, plain<T> value, int order, int scope = 0)         \
    {                                                                                                                 \
        return __lockstep_builtin_##CHANGE((volatile plain<T> *)at, value, order, scope, Scheme);                     \
    }                                                                                                                 \
    template <class T> __LOCKSTEP_HERE plain<T> NAME##_fetch(T *at, plain<T> value, int order, int scope = 0)         \
    {                                                                                                                 \
        const plain<T> old = fetch_##NAME(at, value, order, scope);                                                   \
        return NEW;                                                                                                   \
    }                                                                                                                 \
    template <class T> __LOCKSTEP_HERE void only_##NAME(T *at, plain<T> value, int order, int scope = 0)              \
    {                                                                                                                 \
        fetch_##NAME(at, value, order, scope);                                                                        \
    }
    __LOCKSTEP_CHANGE(add, add, old + value)
    __LOCKSTEP_CHANGE(sub, sub, old - value)
    __LOCKSTEP_CHANGE(and, and_, old & value)
    __LOCKSTEP_CHANGE(or, or_, old | value)
    __LOCKSTEP_CHANGE(xor, xor_, old ^ value)
    __LOCKSTEP_CHANGE(min, min, old < value ? old : value)
    __LOCKSTEP_CHANGE(max, max, old > value ? old : value)
#undef __LOCKSTEP_CHANGE
    template <class... A> __LOCKSTEP_HERE int nand(A &&...) { return __lockstep_refused_atomic_nand(), 0; }
    __LOCKSTEP_HERE void thread_fence(int order, int scope = 0) { __lockstep_builtin_fence(order, scope, Scheme); }
};

/* Atomics of PTX: relaxed, between the threads of the device. */
struct __lockstep_ptx {
    template <class T> __LOCKSTEP_HERE T xchg(volatile T *at, typename __lockstep_plain<T>::type value)
    {
        return __lockstep_atomics<0>::exchange_n(at, value, 0, 1);
    }
    template <class T>
    __LOCKSTEP_HERE T cas(volatile T *at, typename __lockstep_plain<T>::type wanted, typename __lockstep_plain<T>::type value)
    {
        __lockstep_atomics<0>::compare_exchange_n(at, &wanted, value, false, 0, 0, 1);
        return wanted;
    }
#define __LOCKSTEP_CHANGE(NAME, CHANGE)                                                                               \
    template <class T> __LOCKSTEP_HERE T NAME(volatile T *at, typename __lockstep_plain<T>::type value)               \
    {                                                                                                                 \
        return __lockstep_builtin_##CHANGE(at, value, 0, 1, 0);                                                       \
    }
    __LOCKSTEP_CHANGE(add, add)
    __LOCKSTEP_CHANGE(sub, sub)
    __LOCKSTEP_CHANGE(min, min)
    __LOCKSTEP_CHANGE(max, max)
    __LOCKSTEP_CHANGE(and_, and_)
    __LOCKSTEP_CHANGE(or_, or_)
    __LOCKSTEP_CHANGE(xor_, xor_)
    __LOCKSTEP_CHANGE(inc, inc)
    __LOCKSTEP_CHANGE(dec, dec)
#undef __LOCKSTEP_CHANGE
};
#undef __LOCKSTEP_HERE

template <class... A> inline __attribute__((always_inline)) int __lockstep_opencl_atomic(A &&...)
{
    return __lockstep_refused_atomic_of_opencl(), 0;
}
#pragma clang force_cuda_host_device end
}

#define __LOCKSTEP_SCOPED(NAME) __lockstep_atomics<__LOCKSTEP_SCOPES_OF_CLANG>::NAME
#define __LOCKSTEP_HIP(NAME) __lockstep_atomics<__LOCKSTEP_SCOPES_OF_HIP>::NAME
#define __LOCKSTEP_NV(NAME) __lockstep_atomics<__LOCKSTEP_SCOPES_OF_CUDA>::NAME

/* PTX's have a scope in Clang's code, but an ordering that PTX does not promise. */
#define __nvvm_atom_add_gen_i __lockstep_ptx::add
#define __nvvm_atom_add_gen_l __lockstep_ptx::add
#define __nvvm_atom_add_gen_ll __lockstep_ptx::add
#define __nvvm_atom_add_gen_f __lockstep_ptx::add
#define __nvvm_atom_add_gen_d __lockstep_ptx::add
#define __nvvm_atom_sub_gen_i __lockstep_ptx::sub
#define __nvvm_atom_sub_gen_l __lockstep_ptx::sub
#define __nvvm_atom_sub_gen_ll __lockstep_ptx::sub
#define __nvvm_atom_and_gen_i __lockstep_ptx::and_
#define __nvvm_atom_and_gen_l __lockstep_ptx::and_
#define __nvvm_atom_and_gen_ll __lockstep_ptx::and_
#define __nvvm_atom_or_gen_i __lockstep_ptx::or_
#define __nvvm_atom_or_gen_l __lockstep_ptx::or_
#define __nvvm_atom_or_gen_ll __lockstep_ptx::or_
#define __nvvm_atom_xor_gen_i __lockstep_ptx::xor_
#define __nvvm_atom_xor_gen_l __lockstep_ptx::xor_
#define __nvvm_atom_xor_gen_ll __lockstep_ptx::xor_
#define __nvvm_atom_xchg_gen_i __lockstep_ptx::xchg
#define __nvvm_atom_xchg_gen_l __lockstep_ptx::xchg
#define __nvvm_atom_xchg_gen_ll __lockstep_ptx::xchg
#define __nvvm_atom_cas_gen_us __lockstep_ptx::cas
#define __nvvm_atom_cas_gen_i __lockstep_ptx::cas
#define __nvvm_atom_cas_gen_l __lockstep_ptx::cas
#define __nvvm_atom_cas_gen_ll __lockstep_ptx::cas
#define __nvvm_atom_max_gen_i __lockstep_ptx::max
#define __nvvm_atom_max_gen_ui __lockstep_ptx::max
#define __nvvm_atom_max_gen_l __lockstep_ptx::max
#define __nvvm_atom_max_gen_ul __lockstep_ptx::max
#define __nvvm_atom_max_gen_ll __lockstep_ptx::max
#define __nvvm_atom_max_gen_ull __lockstep_ptx::max
#define __nvvm_atom_min_gen_i __lockstep_ptx::min
#define __nvvm_atom_min_gen_ui __lockstep_ptx::min
#define __nvvm_atom_min_gen_l __lockstep_ptx::min
#define __nvvm_atom_min_gen_ul __lockstep_ptx::min
#define __nvvm_atom_min_gen_ll __lockstep_ptx::min
#define __nvvm_atom_min_gen_ull __lockstep_ptx::min
#define __nvvm_atom_inc_gen_ui __lockstep_ptx::inc
#define __nvvm_atom_dec_gen_ui __lockstep_ptx::dec

/* Clang knows these in C++ too, with OpenCL's scopes. */
#define __opencl_atomic_compare_exchange_weak __lockstep_opencl_atomic
#define __opencl_atomic_exchange __lockstep_opencl_atomic
#define __opencl_atomic_fetch_add __lockstep_opencl_atomic
#define __opencl_atomic_fetch_and __lockstep_opencl_atomic
#define __opencl_atomic_fetch_max __lockstep_opencl_atomic
#define __opencl_atomic_fetch_min __lockstep_opencl_atomic
#define __opencl_atomic_fetch_or __lockstep_opencl_atomic
#define __opencl_atomic_fetch_sub __lockstep_opencl_atomic
#define __opencl_atomic_fetch_xor __lockstep_opencl_atomic
#define __opencl_atomic_init __lockstep_opencl_atomic
#define __opencl_atomic_load __lockstep_opencl_atomic
#define __opencl_atomic_store __lockstep_opencl_atomic
#define __opencl_atomic_compare_exchange_strong __lockstep_opencl_atomic

/* Those of CUDA 12.8, which Clang 19 does not know. */
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_SYSTEM 0
#define __NV_THREAD_SCOPE_DEVICE 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_THREAD 3
#define __NV_THREAD_SCOPE_CLUSTER 5
#define __nv_atomic_load __LOCKSTEP_NV(load)
#define __nv_atomic_load_n __LOCKSTEP_NV(load_n)
#define __nv_atomic_store __LOCKSTEP_NV(store)
#define __nv_atomic_store_n __LOCKSTEP_NV(store_n)
#define __nv_atomic_exchange __LOCKSTEP_NV(exchange)
#define __nv_atomic_exchange_n __LOCKSTEP_NV(exchange_n)
#define __nv_atomic_compare_exchange __LOCKSTEP_NV(compare_exchange)
#define __nv_atomic_compare_exchange_n __LOCKSTEP_NV(compare_exchange_n)
#define __nv_atomic_fetch_add __LOCKSTEP_NV(fetch_add)
#define __nv_atomic_fetch_sub __LOCKSTEP_NV(fetch_sub)
#define __nv_atomic_fetch_and __LOCKSTEP_NV(fetch_and)
#define __nv_atomic_fetch_or __LOCKSTEP_NV(fetch_or)
#define __nv_atomic_fetch_xor __LOCKSTEP_NV(fetch_xor)
#define __nv_atomic_fetch_min __LOCKSTEP_NV(fetch_min)
#define __nv_atomic_fetch_max __LOCKSTEP_NV(fetch_max)
#define __nv_atomic_add __LOCKSTEP_NV(only_add)
#define __nv_atomic_sub __LOCKSTEP_NV(only_sub)
#define __nv_atomic_and __LOCKSTEP_NV(only_and)
#define __nv_atomic_or __LOCKSTEP_NV(only_or)
#define __nv_atomic_xor __LOCKSTEP_NV(only_xor)
#define __nv_atomic_min __LOCKSTEP_NV(only_min)
#define __nv_atomic_max __LOCKSTEP_NV(only_max)
#define __nv_atomic_thread_fence __LOCKSTEP_NV(thread_fence)

#ifdef __LOCKSTEP_HIP_WARP_SIZE
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
/* A scope by its name in LLVM; one that is not known is the narrowest. */
#define __builtin_amdgcn_fence(order, scope, ...)                                                                     \
    __lockstep_atomics<__LOCKSTEP_SCOPES_OF_CUDA>::thread_fence(order, !__builtin_strcmp(scope, "") ? 0               \
                                                                     : !__builtin_strcmp(scope, "agent") ? 1          \
                                                                     : !__builtin_strcmp(scope, "workgroup") ? 2      \
                                                                     : !__builtin_strcmp(scope, "wavefront") ? 4      \
                                                                                                             : 3)
#endif

#else

/* C++ for OpenCL: undeclared, and so refused by name. */
#define __LOCKSTEP_SCOPED(NAME) __lockstep_refused_scoped_atomic_##NAME
#define __LOCKSTEP_HIP(NAME) __lockstep_refused_hip_atomic_##NAME

#endif

#define __scoped_atomic_load_n __LOCKSTEP_SCOPED(load_n)
#define __scoped_atomic_load __LOCKSTEP_SCOPED(load)
#define __scoped_atomic_store_n __LOCKSTEP_SCOPED(store_n)
#define __scoped_atomic_store __LOCKSTEP_SCOPED(store)
#define __scoped_atomic_exchange_n __LOCKSTEP_SCOPED(exchange_n)
#define __scoped_atomic_exchange __LOCKSTEP_SCOPED(exchange)
#define __scoped_atomic_compare_exchange_n __LOCKSTEP_SCOPED(compare_exchange_n)
#define __scoped_atomic_compare_exchange __LOCKSTEP_SCOPED(compare_exchange)
#define __scoped_atomic_fetch_add __LOCKSTEP_SCOPED(fetch_add)
#define __scoped_atomic_add_fetch __LOCKSTEP_SCOPED(add_fetch)
#define __scoped_atomic_fetch_sub __LOCKSTEP_SCOPED(fetch_sub)
#define __scoped_atomic_sub_fetch __LOCKSTEP_SCOPED(sub_fetch)
#define __scoped_atomic_fetch_and __LOCKSTEP_SCOPED(fetch_and)
#define __scoped_atomic_and_fetch __LOCKSTEP_SCOPED(and_fetch)
#define __scoped_atomic_fetch_or __LOCKSTEP_SCOPED(fetch_or)
#define __scoped_atomic_or_fetch __LOCKSTEP_SCOPED(or_fetch)
#define __scoped_atomic_fetch_xor __LOCKSTEP_SCOPED(fetch_xor)
#define __scoped_atomic_xor_fetch __LOCKSTEP_SCOPED(xor_fetch)
#define __scoped_atomic_fetch_min __LOCKSTEP_SCOPED(fetch_min)
#define __scoped_atomic_min_fetch __LOCKSTEP_SCOPED(min_fetch)
#define __scoped_atomic_fetch_max __LOCKSTEP_SCOPED(fetch_max)
#define __scoped_atomic_max_fetch __LOCKSTEP_SCOPED(max_fetch)
#define __scoped_atomic_fetch_nand __LOCKSTEP_SCOPED(nand)
#define __scoped_atomic_nand_fetch __LOCKSTEP_SCOPED(nand)
/* Clang 20 knows this one. */
#define __scoped_atomic_thread_fence __LOCKSTEP_SCOPED(thread_fence)

#define __hip_atomic_load __LOCKSTEP_HIP(load_n)
#define __hip_atomic_store __LOCKSTEP_HIP(store_n)
#define __hip_atomic_exchange __LOCKSTEP_HIP(exchange_n)
#define __hip_atomic_compare_exchange_strong __LOCKSTEP_HIP(compare_exchange_strong)
#define __hip_atomic_compare_exchange_weak __LOCKSTEP_HIP(compare_exchange_weak)
#define __hip_atomic_fetch_add __LOCKSTEP_HIP(fetch_add)
#define __hip_atomic_fetch_sub __LOCKSTEP_HIP(fetch_sub)
#define __hip_atomic_fetch_and __LOCKSTEP_HIP(fetch_and)
#define __hip_atomic_fetch_or __LOCKSTEP_HIP(fetch_or)
#define __hip_atomic_fetch_xor __LOCKSTEP_HIP(fetch_xor)
#define __hip_atomic_fetch_min __LOCKSTEP_HIP(fetch_min)
#define __hip_atomic_fetch_max __LOCKSTEP_HIP(fetch_max)
