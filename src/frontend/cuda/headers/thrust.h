/* Thrust for the host, declared only: vectors, pointers, iterators, algorithms that take any arguments. What devices use
   of it (functors, pairs, tuples, complex numbers) has bodies. */
#ifndef LOCKSTEP_THRUST
#define LOCKSTEP_THRUST
#pragma clang system_header

#include "lockstep/any.h"

namespace thrust {

/* --- Functors --------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_FUNCTOR2(NAME, R, ...)                                                                            \
    template <class T = void> struct NAME {                                                                          \
        typedef T first_argument_type;                                                                               \
        typedef T second_argument_type;                                                                              \
        typedef R result_type;                                                                                       \
        __LOCKSTEP_OF_BOTH constexpr R operator()(const T &a, const T &b) const { return __VA_ARGS__; }              \
    };                                                                                                               \
    template <> struct NAME<void> {                                                                                  \
        template <class T, class U> __LOCKSTEP_OF_BOTH constexpr auto operator()(const T &a, const U &b) const {     \
            return __VA_ARGS__;                                                                                      \
        }                                                                                                            \
    };
#define __LOCKSTEP_FUNCTOR1(NAME, R, ...)                                                                            \
    template <class T = void> struct NAME {                                                                          \
        typedef T argument_type;                                                                                     \
        typedef R result_type;                                                                                       \
        __LOCKSTEP_OF_BOTH constexpr R operator()(const T &a) const { return __VA_ARGS__; }                          \
    };
__LOCKSTEP_FUNCTOR2(plus, T, a + b)
__LOCKSTEP_FUNCTOR2(minus, T, a - b)
__LOCKSTEP_FUNCTOR2(multiplies, T, a *b)
__LOCKSTEP_FUNCTOR2(divides, T, a / b)
__LOCKSTEP_FUNCTOR2(modulus, T, a % b)
__LOCKSTEP_FUNCTOR2(maximum, T, a < b ? b : a)
__LOCKSTEP_FUNCTOR2(minimum, T, b < a ? b : a)
__LOCKSTEP_FUNCTOR2(bit_and, T, a &b)
__LOCKSTEP_FUNCTOR2(bit_or, T, a | b)
__LOCKSTEP_FUNCTOR2(bit_xor, T, a ^ b)
__LOCKSTEP_FUNCTOR2(equal_to, bool, a == b)
__LOCKSTEP_FUNCTOR2(not_equal_to, bool, a != b)
__LOCKSTEP_FUNCTOR2(less, bool, a < b)
__LOCKSTEP_FUNCTOR2(less_equal, bool, a <= b)
__LOCKSTEP_FUNCTOR2(greater, bool, a > b)
__LOCKSTEP_FUNCTOR2(greater_equal, bool, a >= b)
__LOCKSTEP_FUNCTOR2(logical_and, bool, a &&b)
__LOCKSTEP_FUNCTOR2(logical_or, bool, a || b)
__LOCKSTEP_FUNCTOR2(project1st, T, a)
__LOCKSTEP_FUNCTOR2(project2nd, T, b)
__LOCKSTEP_FUNCTOR1(identity, T, a)
__LOCKSTEP_FUNCTOR1(negate, T, -a)
__LOCKSTEP_FUNCTOR1(square, T, a *a)
__LOCKSTEP_FUNCTOR1(logical_not, bool, !a)
#undef __LOCKSTEP_FUNCTOR1
#undef __LOCKSTEP_FUNCTOR2
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};

/* --- Pairs and tuples ------------------------------------------------------------------------------------- */
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() = default;
    __LOCKSTEP_OF_BOTH pair(const A &first, const B &second) : first(first), second(second) {}
};
template <class A, class B> __LOCKSTEP_BOTH pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }

template <class... T> struct tuple {};
template <class H, class... T> struct tuple<H, T...> {
    H head;
    tuple<T...> tail;
    tuple() = default;
    __LOCKSTEP_OF_BOTH tuple(const H &head, const T &...tail) : head(head), tail(tail...) {}
};
template <int index, class T> struct tuple_element;
template <class H, class... T> struct tuple_element<0, tuple<H, T...>> { typedef H type; };
template <int index, class H, class... T>
struct tuple_element<index, tuple<H, T...>> : tuple_element<index - 1, tuple<T...>> {};
template <int index, class H, class... T> __LOCKSTEP_BOTH auto &get(tuple<H, T...> &values) {
    if constexpr (index == 0) return values.head; else return get<index - 1>(values.tail);
}
template <int index, class H, class... T> __LOCKSTEP_BOTH const auto &get(const tuple<H, T...> &values) {
    if constexpr (index == 0) return values.head; else return get<index - 1>(values.tail);
}
template <class... T> __LOCKSTEP_BOTH tuple<T...> make_tuple(T... values) { return tuple<T...>(values...); }
template <class... T> tuple<T &...> tie(T &...values);

/* --- Complex numbers -------------------------------------------------------------------------------------- */
template <class T> struct complex {
    typedef T value_type;
    T re, im;
    complex() = default;
    __LOCKSTEP_OF_BOTH complex(T re, T im = T()) : re(re), im(im) {}
    template <class U> __LOCKSTEP_OF_BOTH complex(const complex<U> &other) : re(other.re), im(other.im) {}
    __LOCKSTEP_OF_BOTH T real() const { return re; }
    __LOCKSTEP_OF_BOTH T imag() const { return im; }
    __LOCKSTEP_OF_BOTH void real(T value) { re = value; }
    __LOCKSTEP_OF_BOTH void imag(T value) { im = value; }
};
#define __LOCKSTEP_COMPLEX(OP, ...)                                                                                  \
    template <class T> __LOCKSTEP_BOTH complex<T> operator OP(const complex<T> &a, const complex<T> &b) {            \
        return __VA_ARGS__;                                                                                          \
    }                                                                                                                \
    template <class T> __LOCKSTEP_BOTH complex<T> operator OP(const complex<T> &a, const T &b) {                     \
        return a OP complex<T>(b);                                                                                   \
    }                                                                                                                \
    template <class T> __LOCKSTEP_BOTH complex<T> operator OP(const T &a, const complex<T> &b) {                     \
        return complex<T>(a) OP b;                                                                                   \
    }                                                                                                                \
    template <class T, class U> __LOCKSTEP_BOTH complex<T> &operator OP##=(complex<T> &a, const U &b) {              \
        return a = a OP complex<T>(b);                                                                               \
    }
__LOCKSTEP_COMPLEX(+, complex<T>(a.re + b.re, a.im + b.im))
__LOCKSTEP_COMPLEX(-, complex<T>(a.re - b.re, a.im - b.im))
__LOCKSTEP_COMPLEX(*, complex<T>(__lockstep_computed(a.re * b.re - a.im * b.im),
                                 __lockstep_computed(a.re * b.im + a.im * b.re)))
__LOCKSTEP_COMPLEX(/, complex<T>(__lockstep_computed((a.re * b.re + a.im * b.im) / (b.re * b.re + b.im * b.im)),
                                 __lockstep_computed((a.im * b.re - a.re * b.im) / (b.re * b.re + b.im * b.im))))
#undef __LOCKSTEP_COMPLEX
template <class T> __LOCKSTEP_BOTH complex<T> operator-(const complex<T> &a) { return complex<T>(-a.re, -a.im); }
template <class T> __LOCKSTEP_BOTH bool operator==(const complex<T> &a, const complex<T> &b) {
    return a.re == b.re && a.im == b.im;
}
template <class T> __LOCKSTEP_BOTH T norm(const complex<T> &a) {
    return __lockstep_computed(a.re * a.re + a.im * a.im);
}
template <class T> __LOCKSTEP_BOTH T abs(const complex<T> &a) { return __lockstep_computed(::hypot(a.re, a.im)); }
template <class T> __LOCKSTEP_BOTH T arg(const complex<T> &a) { return __lockstep_computed(::atan2(a.im, a.re)); }
template <class T> __LOCKSTEP_BOTH complex<T> conj(const complex<T> &a) { return complex<T>(a.re, -a.im); }
template <class T> __LOCKSTEP_BOTH complex<T> exp(const complex<T> &a) {
    return complex<T>(__lockstep_computed(::exp(a.re) * ::cos(a.im)), __lockstep_computed(::exp(a.re) * ::sin(a.im)));
}
template <class T> __LOCKSTEP_BOTH complex<T> polar(const T &radius, const T &angle = T()) {
    return complex<T>(__lockstep_computed(radius * ::cos(angle)), __lockstep_computed(radius * ::sin(angle)));
}
template <class T> __LOCKSTEP_BOTH void swap(T &a, T &b) {
    T old = a;
    a = b;
    b = old;
}

/* --- Pointers and vectors --------------------------------------------------------------------------------- */
/* What stands for an element of a device's memory on the host. Which memory that is, host code is followed for: pointers are handed on. */
template <class T> struct device_ptr;
template <class T> struct device_reference {
    T *__lockstep_pointer;
    device_reference() = default;
    explicit device_reference(const device_ptr<T> &pointer) : __lockstep_pointer(pointer.get()) {}
    device_reference(const device_reference &) = default;
    operator T() const;
    device_ptr<T> operator&() const { return device_ptr<T>(__lockstep_pointer); }
    device_reference &operator=(const device_reference &);
    template <class U> device_reference &operator=(const U &);
    template <class U> device_reference &operator+=(const U &);
};
template <class T> struct device_ptr {
    typedef T value_type;
    typedef device_reference<T> reference;
    typedef T *pointer;
    typedef long difference_type;
    T *__lockstep_pointer;
    device_ptr() = default;
    template <class U> explicit device_ptr(U *pointer) : __lockstep_pointer((T *)pointer) {}
    template <class U> device_ptr(const device_ptr<U> &other) : __lockstep_pointer((T *)other.get()) {}
    T *get() const { return __lockstep_pointer; }
    device_reference<T> operator*() const { return device_reference<T>(*this); }
    device_reference<T> operator[](long index) const { return device_reference<T>(*this + index); }
    device_ptr operator+(long by) const { return device_ptr(__lockstep_pointer + by); }
    device_ptr operator-(long by) const { return device_ptr(__lockstep_pointer - by); }
    long operator-(device_ptr) const;
    device_ptr &operator++();
    bool operator==(device_ptr) const;
    bool operator!=(device_ptr) const;
    explicit operator bool() const;
};
template <class T> device_ptr<T> device_pointer_cast(T *pointer) { return device_ptr<T>(pointer); }
template <class T> device_ptr<T> device_malloc(size_t);
template <class T> void device_free(device_ptr<T>);
template <class T> T *raw_pointer_cast(T *pointer) { return pointer; }
template <class T> T *raw_pointer_cast(device_ptr<T> pointer) { return pointer.get(); }
template <class T> T *raw_pointer_cast(const device_ptr<T> *pointer) { return pointer->get(); }

template <class T, class Reference, class Iterator> struct __lockstep_sequence {
    typedef T value_type;
    typedef T &reference;
    typedef size_t size_type;
    typedef Iterator iterator;
    typedef Iterator const_iterator;
    typedef Iterator pointer;
    Iterator __lockstep_first;
    __lockstep_sequence();
    __lockstep_sequence(const __lockstep_sequence &);
    __lockstep_sequence &operator=(const __lockstep_sequence &);
    explicit __lockstep_sequence(size_t);
    __lockstep_sequence(size_t, const T &);
    template <class I> __lockstep_sequence(I, I);
    template <class C, class = typename C::value_type> __lockstep_sequence(const C &);
    ~__lockstep_sequence();
    template <class C, class = typename C::value_type> __lockstep_sequence &operator=(const C &);
    Iterator begin() const { return __lockstep_first; }
    Iterator end() const;
    Iterator cbegin() const { return __lockstep_first; }
    Iterator cend() const;
    Iterator data() const { return __lockstep_first; }
    size_t size() const;
    size_t capacity() const;
    bool empty() const;
    Reference operator[](size_t index) const { return __lockstep_first[index]; }
    Reference front() const { return __lockstep_first[0]; }
    Reference back() const;
    void resize(size_t);
    void resize(size_t, const T &);
    void reserve(size_t);
    void clear();
    void shrink_to_fit();
    void push_back(const T &);
    void pop_back();
    template <class... A> Iterator erase(A &&...);
    template <class... A> Iterator insert(A &&...);
    template <class... A> void assign(A &&...);
    template <class C> void swap(C &);
};
template <class T, class Allocator = void>
struct device_vector : __lockstep_sequence<T, device_reference<T>, device_ptr<T>> {
    using __lockstep_sequence<T, device_reference<T>, device_ptr<T>>::__lockstep_sequence;
    using __lockstep_sequence<T, device_reference<T>, device_ptr<T>>::operator=;
};
template <class T, class Allocator = void> struct host_vector : __lockstep_sequence<T, T &, T *> {
    using __lockstep_sequence<T, T &, T *>::__lockstep_sequence;
    using __lockstep_sequence<T, T &, T *>::operator=;
};
template <class T, class Allocator = void> using universal_vector = host_vector<T>;

/* --- Iterators -------------------------------------------------------------------------------------------- */
template <class T> struct __lockstep_iterator {
    typedef T value_type;
    typedef T reference;
    typedef T *pointer;
    typedef long difference_type;
    T operator*() const;
    T operator[](long) const;
    __lockstep_iterator operator+(long) const;
    long operator-(__lockstep_iterator) const;
    __lockstep_iterator &operator++();
};
template <class T, class... A> struct counting_iterator : __lockstep_iterator<T> {
    counting_iterator() = default;
    explicit counting_iterator(T);
};
template <class T, class... A> struct constant_iterator : __lockstep_iterator<T> { explicit constant_iterator(T); };
template <class F, class I, class... A> struct transform_iterator : __lockstep_iterator<int> {
    transform_iterator(I, F);
};
template <class T> struct zip_iterator : __lockstep_iterator<T> { zip_iterator(T); };
template <class I, class J> struct permutation_iterator : __lockstep_iterator<int> { permutation_iterator(I, J); };
struct discard_iterator : __lockstep_iterator<int> {};
template <class T> counting_iterator<T> make_counting_iterator(T);
template <class T> constant_iterator<T> make_constant_iterator(T);
template <class I, class F> transform_iterator<F, I> make_transform_iterator(I, F);
template <class... T> zip_iterator<tuple<T...>> make_zip_iterator(const tuple<T...> &);
template <class I, class J> permutation_iterator<I, J> make_permutation_iterator(I, J);
discard_iterator make_discard_iterator();
template <class I, class N> void advance(I &, N);
template <class I> long distance(I, I);

/* --- Algorithms ------------------------------------------------------------------------------------------- */
struct __lockstep_policy {
    template <class S> __lockstep_policy on(S) const;
    template <class A> __lockstep_policy operator()(A &&) const;
};
static const __lockstep_policy device, host, seq;
namespace cuda { static const __lockstep_policy par, par_nosync; }
namespace hip { static const __lockstep_policy par; }
namespace omp { static const __lockstep_policy par; }

/* What a call returns that returns a value of a type of its last arguments, a position, or nothing of use. */
struct __lockstep_anything {
    template <class T> operator T() const;
    template <class T> __lockstep_anything operator-(const T &) const;
    template <class T> __lockstep_anything operator+(const T &) const;
    __lockstep_anything operator*() const;
};
#define __LOCKSTEP_ALGORITHM(NAME) template <class... A> __lockstep_anything NAME(A &&...);
__LOCKSTEP_ALGORITHM(adjacent_difference)
__LOCKSTEP_ALGORITHM(all_of)
__LOCKSTEP_ALGORITHM(any_of)
__LOCKSTEP_ALGORITHM(binary_search)
__LOCKSTEP_ALGORITHM(copy)
__LOCKSTEP_ALGORITHM(copy_if)
__LOCKSTEP_ALGORITHM(copy_n)
__LOCKSTEP_ALGORITHM(count)
__LOCKSTEP_ALGORITHM(count_if)
__LOCKSTEP_ALGORITHM(equal)
__LOCKSTEP_ALGORITHM(exclusive_scan)
__LOCKSTEP_ALGORITHM(exclusive_scan_by_key)
__LOCKSTEP_ALGORITHM(fill)
__LOCKSTEP_ALGORITHM(fill_n)
__LOCKSTEP_ALGORITHM(find)
__LOCKSTEP_ALGORITHM(find_if)
__LOCKSTEP_ALGORITHM(for_each)
__LOCKSTEP_ALGORITHM(for_each_n)
__LOCKSTEP_ALGORITHM(gather)
__LOCKSTEP_ALGORITHM(generate)
__LOCKSTEP_ALGORITHM(generate_n)
__LOCKSTEP_ALGORITHM(inclusive_scan)
__LOCKSTEP_ALGORITHM(inclusive_scan_by_key)
__LOCKSTEP_ALGORITHM(inner_product)
__LOCKSTEP_ALGORITHM(is_sorted)
__LOCKSTEP_ALGORITHM(lower_bound)
__LOCKSTEP_ALGORITHM(max_element)
__LOCKSTEP_ALGORITHM(merge)
__LOCKSTEP_ALGORITHM(min_element)
__LOCKSTEP_ALGORITHM(minmax_element)
__LOCKSTEP_ALGORITHM(none_of)
__LOCKSTEP_ALGORITHM(partition)
__LOCKSTEP_ALGORITHM(reduce_by_key)
__LOCKSTEP_ALGORITHM(remove)
__LOCKSTEP_ALGORITHM(remove_if)
__LOCKSTEP_ALGORITHM(replace)
__LOCKSTEP_ALGORITHM(replace_if)
__LOCKSTEP_ALGORITHM(reverse)
__LOCKSTEP_ALGORITHM(scatter)
__LOCKSTEP_ALGORITHM(sequence)
__LOCKSTEP_ALGORITHM(set_difference)
__LOCKSTEP_ALGORITHM(set_intersection)
__LOCKSTEP_ALGORITHM(set_union)
__LOCKSTEP_ALGORITHM(sort)
__LOCKSTEP_ALGORITHM(sort_by_key)
__LOCKSTEP_ALGORITHM(stable_partition)
__LOCKSTEP_ALGORITHM(stable_sort)
__LOCKSTEP_ALGORITHM(stable_sort_by_key)
__LOCKSTEP_ALGORITHM(tabulate)
__LOCKSTEP_ALGORITHM(transform)
__LOCKSTEP_ALGORITHM(transform_exclusive_scan)
__LOCKSTEP_ALGORITHM(transform_if)
__LOCKSTEP_ALGORITHM(transform_inclusive_scan)
__LOCKSTEP_ALGORITHM(transform_reduce)
__LOCKSTEP_ALGORITHM(uninitialized_fill)
__LOCKSTEP_ALGORITHM(unique)
__LOCKSTEP_ALGORITHM(unique_by_key)
__LOCKSTEP_ALGORITHM(upper_bound)
__LOCKSTEP_ALGORITHM(reduce)
#undef __LOCKSTEP_ALGORITHM

/* --- Random numbers --------------------------------------------------------------------------------------- */
struct default_random_engine {
    typedef unsigned int result_type;
    unsigned int state;
    __LOCKSTEP_OF_BOTH explicit default_random_engine(unsigned int seed = 1) : state(seed) {}
    __LOCKSTEP_OF_BOTH void seed(unsigned int seed) { state = seed; }
    __LOCKSTEP_OF_BOTH void discard(unsigned long long) { state = __lockstep_any(); }
    __LOCKSTEP_OF_BOTH unsigned int operator()() { return state = __lockstep_any(); }
};
typedef default_random_engine minstd_rand;
#define __LOCKSTEP_DISTRIBUTION(NAME, D)                                                                             \
    template <class T = D> struct NAME {                                                                             \
        typedef T result_type;                                                                                       \
        __LOCKSTEP_OF_BOTH explicit NAME(T = 0, T = 1) {}                                                            \
        template <class G> __LOCKSTEP_OF_BOTH T operator()(G &generator) {                                           \
            generator();                                                                                             \
            return __lockstep_any_as<T>::value();                                                                    \
        }                                                                                                            \
    };
__LOCKSTEP_DISTRIBUTION(uniform_real_distribution, double)
__LOCKSTEP_DISTRIBUTION(uniform_int_distribution, int)
__LOCKSTEP_DISTRIBUTION(normal_distribution, double)
#undef __LOCKSTEP_DISTRIBUTION
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random
namespace placeholders {
struct __lockstep_placeholder {};
static const __lockstep_placeholder _1, _2, _3;
#define __LOCKSTEP_PLACEHOLDER(OP)                                                                                   \
    template <class T> __lockstep_placeholder operator OP(__lockstep_placeholder, const T &);                        \
    template <class T> __lockstep_placeholder operator OP(const T &, __lockstep_placeholder);                        \
    __lockstep_placeholder operator OP(__lockstep_placeholder, __lockstep_placeholder);
__LOCKSTEP_PLACEHOLDER(+)
__LOCKSTEP_PLACEHOLDER(-)
__LOCKSTEP_PLACEHOLDER(*)
__LOCKSTEP_PLACEHOLDER(/)
__LOCKSTEP_PLACEHOLDER(%)
__LOCKSTEP_PLACEHOLDER(<)
__LOCKSTEP_PLACEHOLDER(>)
__LOCKSTEP_PLACEHOLDER(==)
#undef __LOCKSTEP_PLACEHOLDER
} // namespace placeholders

namespace system {
struct system_error { const char *what() const; };
} // namespace system
using system::system_error;

} // namespace thrust

#endif
