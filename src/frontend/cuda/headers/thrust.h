/* Thrust. The functions for devices (functors, pairs, tuples, complex numbers) have bodies. For the host, vectors,
   pointers and the algorithms that only fill and copy are written with the runtime's functions, so that runs of the host
   and analyses of its code see them. The other algorithms take any arguments, and are declared only. */
#ifndef LOCKSTEP_THRUST
#define LOCKSTEP_THRUST
#pragma clang system_header

#include "lockstep/any.h"
#if __has_include(<initializer_list>)
#include <initializer_list>
#define __LOCKSTEP_LISTED(NAME)                                                                                      \
    __LOCKSTEP_OF_HOST NAME(std::initializer_list<T> elements) : __lockstep_base(elements.begin(), elements.end()) {}
#else
#define __LOCKSTEP_LISTED(NAME)
#endif

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

/* --- Pointers --------------------------------------------------------------------------------------------- */
/* A small function of the host, which analyses follow once it is inlined. Larger ones are called: they take addresses of
   elements, but not that of a container, whose members then stay values. */
#define __LOCKSTEP_OF_HOST __attribute__((always_inline))
#define __LOCKSTEP_OF_HOST_ALONE __attribute__((always_inline)) static inline

template <class T> struct __lockstep_plain { typedef T type; };
template <class T> struct __lockstep_plain<const T> { typedef T type; };
template <class T> struct __lockstep_plain<volatile T> { typedef T type; };
template <class T> struct __lockstep_plain<const volatile T> { typedef T type; };
template <class T> struct __lockstep_plain<T &> : __lockstep_plain<T> {};
template <class T> struct __lockstep_plain<T &&> : __lockstep_plain<T> {};
template <bool condition> struct __lockstep_if {};
template <> struct __lockstep_if<true> { typedef int type; };

template <class T> struct device_ptr;
/* An element in a device's memory. Each read and each write is a copy of it. */
template <class T> struct device_reference {
    typedef T value_type;
    typedef typename __lockstep_plain<T>::type __lockstep_value;
    T *__lockstep_pointer;
    device_reference() = default;
    __LOCKSTEP_OF_HOST explicit device_reference(const device_ptr<T> &pointer) : __lockstep_pointer(pointer.get()) {}
    device_reference(const device_reference &) = default;
    __LOCKSTEP_OF_HOST operator T() const {
        alignas(T) unsigned char bytes[sizeof(T)];
        ::cudaMemcpy(bytes, (const void *)__lockstep_pointer, sizeof(T), cudaMemcpyDeviceToHost);
        return *(T *)bytes;
    }
    __LOCKSTEP_OF_HOST device_ptr<T> operator&() const { return device_ptr<T>(__lockstep_pointer); }
    __LOCKSTEP_OF_HOST device_reference &operator=(const device_reference &other) {
        return *this = (__lockstep_value)(T)other;
    }
    template <class U> __LOCKSTEP_OF_HOST device_reference &operator=(const U &value) {
        const __lockstep_value converted = value;
        ::cudaMemcpy((void *)__lockstep_pointer, &converted, sizeof(T), cudaMemcpyHostToDevice);
        return *this;
    }
#define __LOCKSTEP_ASSIGNMENT(OP)                                                                                    \
    template <class U> __LOCKSTEP_OF_HOST device_reference &operator OP##=(const U &value) {                         \
        return *this = (__lockstep_value)((T)*this OP value);                                                        \
    }
    __LOCKSTEP_ASSIGNMENT(+)
    __LOCKSTEP_ASSIGNMENT(-)
    __LOCKSTEP_ASSIGNMENT(*)
    __LOCKSTEP_ASSIGNMENT(/)
    __LOCKSTEP_ASSIGNMENT(%)
    __LOCKSTEP_ASSIGNMENT(&)
    __LOCKSTEP_ASSIGNMENT(|)
    __LOCKSTEP_ASSIGNMENT(^)
    __LOCKSTEP_ASSIGNMENT(<<)
    __LOCKSTEP_ASSIGNMENT(>>)
#undef __LOCKSTEP_ASSIGNMENT
    __LOCKSTEP_OF_HOST device_reference &operator++() { return *this += 1; }
    __LOCKSTEP_OF_HOST device_reference &operator--() { return *this -= 1; }
    __LOCKSTEP_OF_HOST T operator++(int) {
        T before = *this;
        *this += 1;
        return before;
    }
    __LOCKSTEP_OF_HOST T operator--(int) {
        T before = *this;
        *this -= 1;
        return before;
    }
};
template <class T> struct device_ptr {
    typedef T value_type;
    typedef device_reference<T> reference;
    typedef T *pointer;
    typedef long difference_type;
    T *__lockstep_pointer;
    device_ptr() = default;
    template <class U> __LOCKSTEP_OF_HOST explicit device_ptr(U *pointer) : __lockstep_pointer((T *)pointer) {}
    template <class U>
    __LOCKSTEP_OF_HOST device_ptr(const device_ptr<U> &other) : __lockstep_pointer((T *)other.get()) {}
    __LOCKSTEP_OF_HOST T *get() const { return __lockstep_pointer; }
    __LOCKSTEP_OF_HOST device_reference<T> operator*() const { return device_reference<T>(*this); }
    __LOCKSTEP_OF_HOST device_reference<T> operator[](long index) const { return device_reference<T>(*this + index); }
    __LOCKSTEP_OF_HOST device_ptr operator+(long by) const { return device_ptr(__lockstep_pointer + by); }
    __LOCKSTEP_OF_HOST device_ptr operator-(long by) const { return device_ptr(__lockstep_pointer - by); }
    __LOCKSTEP_OF_HOST long operator-(device_ptr other) const { return __lockstep_pointer - other.__lockstep_pointer; }
    __LOCKSTEP_OF_HOST device_ptr &operator+=(long by) { return *this = *this + by; }
    __LOCKSTEP_OF_HOST device_ptr &operator-=(long by) { return *this = *this - by; }
    __LOCKSTEP_OF_HOST device_ptr &operator++() { return *this += 1; }
    __LOCKSTEP_OF_HOST device_ptr &operator--() { return *this -= 1; }
    __LOCKSTEP_OF_HOST device_ptr operator++(int) {
        ++*this;
        return *this - 1;
    }
    __LOCKSTEP_OF_HOST device_ptr operator--(int) {
        --*this;
        return *this + 1;
    }
    __LOCKSTEP_OF_HOST bool operator==(device_ptr other) const { return __lockstep_pointer == other.get(); }
    __LOCKSTEP_OF_HOST bool operator!=(device_ptr other) const { return __lockstep_pointer != other.get(); }
    __LOCKSTEP_OF_HOST bool operator<(device_ptr other) const { return __lockstep_pointer < other.get(); }
    __LOCKSTEP_OF_HOST explicit operator bool() const { return __lockstep_pointer != nullptr; }
};
template <class T> __LOCKSTEP_OF_HOST_ALONE device_ptr<T> device_pointer_cast(T *pointer) {
    return device_ptr<T>(pointer);
}
template <class T> __LOCKSTEP_OF_HOST_ALONE device_ptr<T> device_malloc(size_t elements) {
    T *pointer;
    ::cudaMalloc(&pointer, elements * sizeof(T));
    return device_ptr<T>(pointer);
}
template <class T> __LOCKSTEP_OF_HOST_ALONE void device_free(device_ptr<T> pointer) {
    ::cudaFree((void *)pointer.get());
}
template <class T> __LOCKSTEP_OF_HOST_ALONE T *raw_pointer_cast(T *pointer) { return pointer; }
template <class T> __LOCKSTEP_OF_HOST_ALONE T *raw_pointer_cast(device_ptr<T> pointer) { return pointer.get(); }
template <class T> __LOCKSTEP_OF_HOST_ALONE T *raw_pointer_cast(const device_ptr<T> *pointer) {
    return pointer->get();
}

/* --- Copies and fills ------------------------------------------------------------------------------------- */
/* Where the algorithms with bodies access what an iterator points to: on the host, on a device, or not at all. */
enum __lockstep_side { __lockstep_nowhere, __lockstep_on_host, __lockstep_on_device };
/* Iterators of C++'s own containers and streams say what they are. */
template <class I> constexpr __lockstep_side __lockstep_side_of(typename I::iterator_category *) {
    return __lockstep_on_host;
}
template <class I> constexpr __lockstep_side __lockstep_side_of(...) { return __lockstep_nowhere; }
template <class I> struct __lockstep_iterated {
    static constexpr __lockstep_side side = __lockstep_side_of<I>(nullptr);
};
template <class T> struct __lockstep_iterated<T *> { static constexpr __lockstep_side side = __lockstep_on_host; };
template <class T> struct __lockstep_iterated<device_ptr<T>> {
    static constexpr __lockstep_side side = __lockstep_on_device;
};
/* The type of an element, which a reference to it stands for. */
template <class T> struct __lockstep_element { typedef T type; };
template <class T> struct __lockstep_element<device_reference<T>> : __lockstep_plain<T> {};
template <class I> struct __lockstep_is_known : __lockstep_if<__lockstep_iterated<I>::side != __lockstep_nowhere> {};

template <class I> auto __lockstep_distance(I first, I last, int) -> decltype((size_t)(last - first)) {
    return (size_t)(last - first);
}
template <class I> size_t __lockstep_distance(I first, I last, long) {
    size_t elements = 0;
    for (; first != last; ++first) ++elements;
    return elements;
}

/* The elements of a device go through memory of the host, byte by byte: their constructors run there. */
template <class T> struct __lockstep_staged {
    T *elements;
    __LOCKSTEP_OF_HOST explicit __lockstep_staged(size_t count) : elements((T *)::malloc(count * sizeof(T))) {}
    __LOCKSTEP_OF_HOST ~__lockstep_staged() { ::free((void *)elements); }
    __LOCKSTEP_OF_HOST void set(size_t index, const T &value) {
        __builtin_memcpy((void *)(elements + index), (const void *)__builtin_addressof(value), sizeof(T));
    }
};
/* Writes `value(0)`, `value(1)`... behind an iterator, and returns the end. */
template <class I, class F> I __lockstep_write(I to, size_t count, F value) {
    if constexpr (__lockstep_iterated<I>::side == __lockstep_on_device) {
        typedef typename __lockstep_plain<typename I::value_type>::type T;
        __lockstep_staged<T> staged(count);
        for (size_t index = 0; index < count; ++index) staged.set(index, (T)value(index));
        ::cudaMemcpy((void *)to.get(), staged.elements, count * sizeof(T), cudaMemcpyHostToDevice);
        return to + (long)count;
    } else {
        for (size_t index = 0; index < count; ++index, ++to) *to = value(index);
        return to;
    }
}
template <class I, class U> I __lockstep_fill(I to, size_t count, const U &value) {
    return thrust::__lockstep_write(to, count, [&](size_t) -> const U & { return value; });
}
template <class I, class J> struct __lockstep_are_alike { static constexpr bool value = false; };
template <class T> struct __lockstep_are_alike<T, T> { static constexpr bool value = true; };
template <class I, class J> J __lockstep_copy(I from, size_t count, J to) {
    constexpr bool is_from_device = __lockstep_iterated<I>::side == __lockstep_on_device;
    constexpr bool is_to_device = __lockstep_iterated<J>::side == __lockstep_on_device;
    if constexpr (is_from_device) {
        typedef typename __lockstep_plain<typename I::value_type>::type T;
        if constexpr (is_to_device) {
            typedef typename __lockstep_plain<typename J::value_type>::type U;
            if constexpr (__lockstep_are_alike<T, U>::value) {
                ::cudaMemcpy((void *)to.get(), (const void *)from.get(), count * sizeof(T), cudaMemcpyDeviceToDevice);
                return to + (long)count;
            }
        }
        __lockstep_staged<T> staged(count);
        ::cudaMemcpy((void *)staged.elements, (const void *)from.get(), count * sizeof(T), cudaMemcpyDeviceToHost);
        return thrust::__lockstep_write(to, count, [&](size_t index) -> T & { return staged.elements[index]; });
    } else {
        return thrust::__lockstep_write(to, count, [&](size_t) -> decltype(auto) { return *from++; });
    }
}
/* Elements that are one after the other need no memory in between. */
template <class T, class U> device_ptr<U> __lockstep_copy(T *from, size_t count, device_ptr<U> to) {
    if constexpr (__lockstep_are_alike<typename __lockstep_plain<T>::type, U>::value) {
        ::cudaMemcpy((void *)to.get(), (const void *)from, count * sizeof(T), cudaMemcpyHostToDevice);
        return to + (long)count;
    } else {
        return thrust::__lockstep_write(to, count, [&](size_t index) -> T & { return from[index]; });
    }
}

/* --- Vectors ---------------------------------------------------------------------------------------------- */
/* The memory of a vector has room for as many elements as the vector has had at once, or was asked to keep: that it has
   more is not documented. As in Thrust, a vector that shrinks keeps its room. So an access behind its size, but inside
   of the room, is one to memory that is there. */
template <class T> struct __lockstep_device_memory {
    typedef device_reference<T> reference;
    typedef device_ptr<T> iterator;
    __LOCKSTEP_OF_HOST static T *allocate(size_t elements) { return thrust::device_malloc<T>(elements).get(); }
    __LOCKSTEP_OF_HOST static void release(T *pointer) { ::cudaFree((void *)pointer); }
    __LOCKSTEP_OF_HOST static void begin(T *pointer, size_t elements) {
        if constexpr (__is_scalar(T)) ::cudaMemset((void *)pointer, 0, elements * sizeof(T));
        else thrust::__lockstep_fill(iterator(pointer), elements, T());
    }
    static constexpr size_t room(size_t elements, size_t) { return elements; }
};
template <class T> struct __lockstep_managed_memory {
    typedef T &reference;
    typedef T *iterator;
    __LOCKSTEP_OF_HOST static T *allocate(size_t elements) {
        T *pointer;
        ::cudaMallocManaged(&pointer, elements * sizeof(T));
        return pointer;
    }
    __LOCKSTEP_OF_HOST static void release(T *pointer) { ::cudaFree((void *)pointer); }
    __LOCKSTEP_OF_HOST static void begin(T *pointer, size_t elements) {
        if constexpr (__is_scalar(T)) ::cudaMemset((void *)pointer, 0, elements * sizeof(T));
        else thrust::__lockstep_fill(pointer, elements, T());
    }
    static constexpr size_t room(size_t elements, size_t) { return elements; }
};
template <class T> struct __lockstep_host_memory {
    typedef T &reference;
    typedef T *iterator;
    __LOCKSTEP_OF_HOST static T *allocate(size_t elements) { return new T[elements](); }
    __LOCKSTEP_OF_HOST static void release(T *pointer) { delete[] pointer; }
    __LOCKSTEP_OF_HOST static void begin(T *, size_t) {}
    static constexpr size_t room(size_t elements, size_t before) { return elements < 2 * before ? 2 * before : elements; }
};

template <class C> auto __lockstep_elements(const C &container, int) -> decltype(*container.data(), container.data()) {
    return container.data();
}
template <class C> auto __lockstep_elements(const C &container, long) -> decltype(container.begin()) {
    return container.begin();
}

template <class T, template <class> class Memory> struct __lockstep_sequence {
    typedef T value_type;
    typedef typename Memory<T>::reference reference;
    typedef reference const_reference;
    typedef size_t size_type;
    typedef long difference_type;
    typedef typename Memory<T>::iterator iterator;
    typedef iterator const_iterator;
    typedef iterator pointer;
    T *__lockstep_first;
    size_t __lockstep_size, __lockstep_capacity;

    __LOCKSTEP_OF_HOST __lockstep_sequence() : __lockstep_first(nullptr), __lockstep_size(0), __lockstep_capacity(0) {}
    __LOCKSTEP_OF_HOST explicit __lockstep_sequence(size_t size)
        : __lockstep_first(Memory<T>::allocate(size)), __lockstep_size(size), __lockstep_capacity(size) {
        Memory<T>::begin(__lockstep_first, size);
    }
    __LOCKSTEP_OF_HOST __lockstep_sequence(size_t size, const T &value)
        : __lockstep_first(Memory<T>::allocate(size)), __lockstep_size(size), __lockstep_capacity(size) {
        thrust::__lockstep_fill(data(), size, value);
    }
    /* Numbers are a size and a value. */
    template <class I, class = typename __lockstep_if<!__is_arithmetic(I) && !__is_enum(I)>::type>
    __LOCKSTEP_OF_HOST __lockstep_sequence(I first, I last)
        : __lockstep_sequence(first, thrust::__lockstep_distance(first, last, 0), nullptr) {}
    template <class C, class = typename C::value_type>
    __LOCKSTEP_OF_HOST __lockstep_sequence(const C &other)
        : __lockstep_sequence(thrust::__lockstep_elements(other, 0), other.size(), nullptr) {}
    __LOCKSTEP_OF_HOST __lockstep_sequence(const __lockstep_sequence &other)
        : __lockstep_sequence(other.data(), other.size(), nullptr) {}
    __LOCKSTEP_OF_HOST __lockstep_sequence(__lockstep_sequence &&other)
        : __lockstep_first(other.__lockstep_first), __lockstep_size(other.__lockstep_size),
          __lockstep_capacity(other.__lockstep_capacity) {
        other.__lockstep_forget();
    }
    __LOCKSTEP_OF_HOST ~__lockstep_sequence() { Memory<T>::release(__lockstep_first); }
    __LOCKSTEP_OF_HOST __lockstep_sequence &operator=(const __lockstep_sequence &other) {
        if (this != &other) __lockstep_assign(other.data(), other.size());
        return *this;
    }
    __LOCKSTEP_OF_HOST __lockstep_sequence &operator=(__lockstep_sequence &&other) {
        if (this != &other) {
            Memory<T>::release(__lockstep_first);
            __lockstep_first = other.__lockstep_first;
            __lockstep_size = other.__lockstep_size;
            __lockstep_capacity = other.__lockstep_capacity;
            other.__lockstep_forget();
        }
        return *this;
    }
    template <class C, class = typename C::value_type>
    __LOCKSTEP_OF_HOST __lockstep_sequence &operator=(const C &other) {
        __lockstep_assign(thrust::__lockstep_elements(other, 0), other.size());
        return *this;
    }

    __LOCKSTEP_OF_HOST iterator begin() const { return iterator(__lockstep_first); }
    __LOCKSTEP_OF_HOST iterator end() const { return iterator(__lockstep_first + __lockstep_size); }
    __LOCKSTEP_OF_HOST iterator cbegin() const { return begin(); }
    __LOCKSTEP_OF_HOST iterator cend() const { return end(); }
    __LOCKSTEP_OF_HOST iterator data() const { return begin(); }
    __LOCKSTEP_OF_HOST size_t size() const { return __lockstep_size; }
    __LOCKSTEP_OF_HOST size_t capacity() const { return __lockstep_capacity; }
    __LOCKSTEP_OF_HOST bool empty() const { return __lockstep_size == 0; }
    __LOCKSTEP_OF_HOST reference operator[](size_t index) const { return begin()[index]; }
    __LOCKSTEP_OF_HOST reference front() const { return begin()[0]; }
    __LOCKSTEP_OF_HOST reference back() const { return begin()[__lockstep_size - 1]; }

    void reserve(size_t capacity) {
        if (capacity > __lockstep_capacity) __lockstep_move_to(capacity);
    }
    void shrink_to_fit() {
        if (__lockstep_size < __lockstep_capacity) __lockstep_move_to(__lockstep_size);
    }
    void resize(size_t size) {
        __lockstep_grow(size);
        if (size > __lockstep_size) Memory<T>::begin(__lockstep_first + __lockstep_size, size - __lockstep_size);
        __lockstep_size = size;
    }
    void resize(size_t size, const T &value) {
        __lockstep_grow(size);
        if (size > __lockstep_size) thrust::__lockstep_fill(end(), size - __lockstep_size, value);
        __lockstep_size = size;
    }
    void clear() { __lockstep_size = 0; }
    void push_back(const T &value) {
        const T copy = value;
        __lockstep_grow(__lockstep_size + 1);
        ++__lockstep_size;
        back() = copy;
    }
    void pop_back() { --__lockstep_size; }
    void assign(size_t size, const T &value) {
        const T copy = value;
        __lockstep_renew(size);
        thrust::__lockstep_fill(begin(), size, copy);
    }
    template <class I, class = typename __lockstep_if<!__is_arithmetic(I) && !__is_enum(I)>::type>
    void assign(I first, I last) {
        __lockstep_assign(first, thrust::__lockstep_distance(first, last, 0));
    }
    __LOCKSTEP_OF_HOST void swap(__lockstep_sequence &other) {
        T *first = __lockstep_first;
        size_t size = __lockstep_size, capacity = __lockstep_capacity;
        __lockstep_first = other.__lockstep_first;
        __lockstep_size = other.__lockstep_size;
        __lockstep_capacity = other.__lockstep_capacity;
        other.__lockstep_first = first;
        other.__lockstep_size = size;
        other.__lockstep_capacity = capacity;
    }
    template <class... A> iterator erase(A &&...);
    template <class... A> iterator insert(A &&...);

  private:
    template <class I>
    __LOCKSTEP_OF_HOST __lockstep_sequence(I first, size_t size, decltype(nullptr))
        : __lockstep_first(Memory<T>::allocate(size)), __lockstep_size(size), __lockstep_capacity(size) {
        thrust::__lockstep_copy(first, size, data());
    }
    __LOCKSTEP_OF_HOST void __lockstep_forget() {
        __lockstep_first = nullptr;
        __lockstep_size = __lockstep_capacity = 0;
    }
    /* Makes room for so many elements, and keeps the present ones. */
    void __lockstep_grow(size_t size) {
        if (size > __lockstep_capacity) __lockstep_move_to(Memory<T>::room(size, __lockstep_capacity));
    }
    void __lockstep_move_to(size_t capacity) {
        T *before = __lockstep_first;
        __lockstep_first = Memory<T>::allocate(capacity);
        thrust::__lockstep_copy(iterator(before), __lockstep_size, begin());
        Memory<T>::release(before);
        __lockstep_capacity = capacity;
    }
    /* Makes room for so many elements, and keeps no present one. */
    __LOCKSTEP_OF_HOST void __lockstep_renew(size_t size) {
        if (size > __lockstep_capacity) {
            Memory<T>::release(__lockstep_first);
            __lockstep_first = Memory<T>::allocate(size);
            __lockstep_capacity = size;
        }
        __lockstep_size = size;
    }
    template <class I> void __lockstep_assign(I first, size_t size) {
        __lockstep_renew(size);
        thrust::__lockstep_copy(first, size, begin());
    }
};
#define __LOCKSTEP_VECTOR(NAME, MEMORY)                                                                              \
    template <class T, class Allocator = void> struct NAME : __lockstep_sequence<T, MEMORY> {                        \
        typedef __lockstep_sequence<T, MEMORY> __lockstep_base;                                                      \
        NAME() = default;                                                                                            \
        NAME(const NAME &) = default;                                                                                \
        NAME(NAME &&) = default;                                                                                     \
        __LOCKSTEP_OF_HOST explicit NAME(size_t size) : __lockstep_base(size) {}                                     \
        __LOCKSTEP_OF_HOST NAME(size_t size, const T &value) : __lockstep_base(size, value) {}                       \
        template <class I, class = typename __lockstep_if<!__is_arithmetic(I) && !__is_enum(I)>::type>               \
        __LOCKSTEP_OF_HOST NAME(I first, I last) : __lockstep_base(first, last) {}                                   \
        template <class C, class = typename C::value_type>                                                           \
        __LOCKSTEP_OF_HOST NAME(const C &other) : __lockstep_base(other) {}                                          \
        __LOCKSTEP_LISTED(NAME)                                                                                      \
        NAME &operator=(const NAME &) = default;                                                                     \
        NAME &operator=(NAME &&) = default;                                                                          \
        using __lockstep_base::operator=;                                                                            \
    };                                                                                                               \
    template <class T, class A> __LOCKSTEP_OF_HOST_ALONE void swap(NAME<T, A> &a, NAME<T, A> &b) { a.swap(b); }
__LOCKSTEP_VECTOR(device_vector, __lockstep_device_memory)
__LOCKSTEP_VECTOR(host_vector, __lockstep_host_memory)
__LOCKSTEP_VECTOR(universal_vector, __lockstep_managed_memory)
#undef __LOCKSTEP_VECTOR
#undef __LOCKSTEP_LISTED

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
template <class T, class... A> struct counting_iterator {
    typedef T value_type;
    typedef T reference;
    typedef T *pointer;
    typedef long difference_type;
    T __lockstep_value;
    counting_iterator() = default;
    __LOCKSTEP_OF_HOST explicit counting_iterator(T value) : __lockstep_value(value) {}
    __LOCKSTEP_OF_HOST T operator*() const { return (*this)[0]; }
    __LOCKSTEP_OF_HOST T operator[](long by) const { return (T)(__lockstep_value + by); }
    __LOCKSTEP_OF_HOST counting_iterator operator+(long by) const { return counting_iterator((T)(__lockstep_value + by)); }
    __LOCKSTEP_OF_HOST counting_iterator operator-(long by) const { return *this + -by; }
    __LOCKSTEP_OF_HOST long operator-(counting_iterator other) const { return (long)(__lockstep_value - other.__lockstep_value); }
    __LOCKSTEP_OF_HOST counting_iterator &operator++() { return *this = *this + 1; }
    __LOCKSTEP_OF_HOST counting_iterator operator++(int) {
        ++*this;
        return *this - 1;
    }
    __LOCKSTEP_OF_HOST bool operator==(counting_iterator other) const { return *this - other == 0; }
    __LOCKSTEP_OF_HOST bool operator!=(counting_iterator other) const { return *this - other != 0; }
};
template <class T, class... A> struct __lockstep_iterated<counting_iterator<T, A...>> {
    static constexpr __lockstep_side side = __lockstep_on_host;
};
template <class T, class... A> struct constant_iterator {
    typedef T value_type;
    typedef T reference;
    typedef T *pointer;
    typedef long difference_type;
    T __lockstep_value;
    long __lockstep_at;
    constant_iterator() = default;
    __LOCKSTEP_OF_HOST explicit constant_iterator(T value, long at = 0) : __lockstep_value(value), __lockstep_at(at) {}
    __LOCKSTEP_OF_HOST T operator*() const { return (*this)[0]; }
    __LOCKSTEP_OF_HOST T operator[](long) const { return __lockstep_value; }
    __LOCKSTEP_OF_HOST constant_iterator operator+(long by) const { return constant_iterator(__lockstep_value, __lockstep_at + by); }
    __LOCKSTEP_OF_HOST constant_iterator operator-(long by) const { return *this + -by; }
    __LOCKSTEP_OF_HOST long operator-(constant_iterator other) const { return __lockstep_at - other.__lockstep_at; }
    __LOCKSTEP_OF_HOST constant_iterator &operator++() { return *this = *this + 1; }
    __LOCKSTEP_OF_HOST constant_iterator operator++(int) {
        ++*this;
        return *this - 1;
    }
    __LOCKSTEP_OF_HOST bool operator==(constant_iterator other) const { return *this - other == 0; }
    __LOCKSTEP_OF_HOST bool operator!=(constant_iterator other) const { return *this - other != 0; }
};
template <class T, class... A> struct __lockstep_iterated<constant_iterator<T, A...>> {
    static constexpr __lockstep_side side = __lockstep_on_host;
};
template <class F, class I, class... A> struct transform_iterator : __lockstep_iterator<int> {
    transform_iterator(I, F);
};
template <class T> struct zip_iterator : __lockstep_iterator<T> { zip_iterator(T); };
template <class I, class J> struct permutation_iterator : __lockstep_iterator<int> { permutation_iterator(I, J); };
struct discard_iterator : __lockstep_iterator<int> {};
template <class T> __LOCKSTEP_OF_HOST_ALONE counting_iterator<T> make_counting_iterator(T first) {
    return counting_iterator<T>(first);
}
template <class T> __LOCKSTEP_OF_HOST_ALONE constant_iterator<T> make_constant_iterator(T value) {
    return constant_iterator<T>(value);
}
template <class I, class F> transform_iterator<F, I> make_transform_iterator(I, F);
template <class... T> zip_iterator<tuple<T...>> make_zip_iterator(const tuple<T...> &);
template <class I, class J> permutation_iterator<I, J> make_permutation_iterator(I, J);
discard_iterator make_discard_iterator();
template <class I, class N> __LOCKSTEP_OF_HOST_ALONE void advance(I &iterator, N by) { iterator = iterator + by; }
template <class I> __LOCKSTEP_OF_HOST_ALONE long distance(I first, I last) { return last - first; }

/* --- Algorithms ------------------------------------------------------------------------------------------- */
/* The side says what plain pointers point to. */
template <__lockstep_side side> struct __lockstep_policy {
    template <class S> __LOCKSTEP_OF_HOST __lockstep_policy on(S) const { return *this; }
    template <class A> __LOCKSTEP_OF_HOST __lockstep_policy operator()(A &&) const { return *this; }
};
static const __lockstep_policy<__lockstep_on_device> device{};
static const __lockstep_policy<__lockstep_on_host> host{}, seq{};
namespace cuda { static const __lockstep_policy<__lockstep_on_device> par{}, par_nosync{}; }
namespace hip { static const __lockstep_policy<__lockstep_on_device> par{}; }
namespace omp { static const __lockstep_policy<__lockstep_on_host> par{}; }

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

/* What only fills and copies has a body where it is known what the iterators point to, with and without a policy. */
template <__lockstep_side side, class I> __LOCKSTEP_OF_HOST_ALONE I __lockstep_placed(I iterator) { return iterator; }
template <__lockstep_side side, class T, class = typename __lockstep_if<side == __lockstep_on_device>::type>
__LOCKSTEP_OF_HOST_ALONE device_ptr<T> __lockstep_placed(T *pointer) {
    return device_ptr<T>(pointer);
}
#define __LOCKSTEP_KNOWN(...) class = typename __lockstep_is_known<__VA_ARGS__>::type
#define __LOCKSTEP_POLICY __lockstep_side side
#define __LOCKSTEP_PLACED(...) thrust::__lockstep_placed<side>(__VA_ARGS__)

template <class I, class L, class U, __LOCKSTEP_KNOWN(I)> void fill(I first, L last, U value) {
    thrust::__lockstep_fill(first, thrust::__lockstep_distance(first, I(last), 0), value);
}
template <class I, class N, class U, __LOCKSTEP_KNOWN(I)> I fill_n(I first, N count, U value) {
    return thrust::__lockstep_fill(first, (size_t)count, value);
}
template <class I, class L, class U, __LOCKSTEP_KNOWN(I)> void uninitialized_fill(I first, L last, U value) {
    thrust::fill(first, last, value);
}
template <class I, class L, class J, __LOCKSTEP_KNOWN(I), __LOCKSTEP_KNOWN(J)> J copy(I first, L last, J to) {
    return thrust::__lockstep_copy(first, thrust::__lockstep_distance(first, I(last), 0), to);
}
template <class I, class N, class J, __LOCKSTEP_KNOWN(I), __LOCKSTEP_KNOWN(J)> J copy_n(I first, N count, J to) {
    return thrust::__lockstep_copy(first, (size_t)count, to);
}
template <class I, class L, class U, class S, __LOCKSTEP_KNOWN(I)> void sequence(I first, L last, U start, S step) {
    const size_t count = thrust::__lockstep_distance(first, I(last), 0);
    thrust::__lockstep_write(first, count, [&](size_t index) { return start + step * (U)index; });
}
template <class I, class L, class U, __LOCKSTEP_KNOWN(I)> void sequence(I first, L last, U start) {
    thrust::sequence(first, last, start, U(1));
}
template <class I, class L, __LOCKSTEP_KNOWN(I)> void sequence(I first, L last) {
    typedef typename __lockstep_plain<decltype(*first)>::type element;
    thrust::sequence(first, last, typename __lockstep_element<element>::type(0));
}

template <__LOCKSTEP_POLICY, class I, class L, class U, __LOCKSTEP_KNOWN(I)>
void fill(__lockstep_policy<side>, I first, L last, U value) {
    thrust::fill(__LOCKSTEP_PLACED(first), __LOCKSTEP_PLACED(last), value);
}
template <__LOCKSTEP_POLICY, class I, class N, class U, __LOCKSTEP_KNOWN(I)>
I fill_n(__lockstep_policy<side>, I first, N count, U value) {
    thrust::fill_n(__LOCKSTEP_PLACED(first), count, value);
    return first + (long)count;
}
template <__LOCKSTEP_POLICY, class I, class L, class U, __LOCKSTEP_KNOWN(I)>
void uninitialized_fill(__lockstep_policy<side>, I first, L last, U value) {
    thrust::fill(__LOCKSTEP_PLACED(first), __LOCKSTEP_PLACED(last), value);
}
template <__LOCKSTEP_POLICY, class I, class L, class J, __LOCKSTEP_KNOWN(I), __LOCKSTEP_KNOWN(J)>
J copy(__lockstep_policy<side>, I first, L last, J to) {
    auto end = thrust::copy(__LOCKSTEP_PLACED(first), __LOCKSTEP_PLACED(last), __LOCKSTEP_PLACED(to));
    if constexpr (__lockstep_are_alike<J, decltype(end)>::value) return end; else return end.get();
}
template <__LOCKSTEP_POLICY, class I, class N, class J, __LOCKSTEP_KNOWN(I), __LOCKSTEP_KNOWN(J)>
J copy_n(__lockstep_policy<side>, I first, N count, J to) {
    auto end = thrust::copy_n(__LOCKSTEP_PLACED(first), count, __LOCKSTEP_PLACED(to));
    if constexpr (__lockstep_are_alike<J, decltype(end)>::value) return end; else return end.get();
}
template <__LOCKSTEP_POLICY, class I, class L, __LOCKSTEP_KNOWN(I), class... U>
void sequence(__lockstep_policy<side>, I first, L last, U... numbers) {
    thrust::sequence(__LOCKSTEP_PLACED(first), __LOCKSTEP_PLACED(last), numbers...);
}
#undef __LOCKSTEP_OF_HOST
#undef __LOCKSTEP_OF_HOST_ALONE
#undef __LOCKSTEP_KNOWN
#undef __LOCKSTEP_POLICY
#undef __LOCKSTEP_PLACED

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
