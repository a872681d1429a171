/* Values of which nothing is known. */
#ifndef LOCKSTEP_ANY
#define LOCKSTEP_ANY
#pragma clang system_header

__LOCKSTEP_ANYWHERE unsigned int __lockstep_any();
template <class T> struct __lockstep_any_as {
    __LOCKSTEP_OF_BOTH static T value() { return (T)((unsigned long long)__lockstep_any() << 32 | __lockstep_any()); }
};
template <> struct __lockstep_any_as<float> {
    __LOCKSTEP_OF_BOTH static float value() { return __builtin_bit_cast(float, __lockstep_any()); }
};
template <> struct __lockstep_any_as<double> {
    __LOCKSTEP_OF_BOTH static double value() {
        return __builtin_bit_cast(double, __lockstep_any_as<unsigned long long>::value());
    }
};

/* What the documentation of a library leaves open, where its model has to choose: to a proof any number, in runs the
   number of choices that the thread has made so far; or, of a value, any other, and in runs that one. */
__LOCKSTEP_DEVICE unsigned int __lockstep_choice();
__LOCKSTEP_DEVICE unsigned char __lockstep_choice(unsigned char);
__LOCKSTEP_DEVICE unsigned short __lockstep_choice(unsigned short);
__LOCKSTEP_DEVICE unsigned int __lockstep_choice(unsigned int);
__LOCKSTEP_DEVICE unsigned long long __lockstep_choice(unsigned long long);

/* What a cache that is not kept coherent has of a value that memory has at the pointer: that one if the kernel does not
   write to the array, else any. */
__LOCKSTEP_DEVICE unsigned char __lockstep_cached(const void *, unsigned char);
__LOCKSTEP_DEVICE unsigned short __lockstep_cached(const void *, unsigned short);
__LOCKSTEP_DEVICE unsigned int __lockstep_cached(const void *, unsigned int);
__LOCKSTEP_DEVICE unsigned long long __lockstep_cached(const void *, unsigned long long);
template <unsigned long bytes> struct __lockstep_cached_word { typedef unsigned int type; };
template <> struct __lockstep_cached_word<1> { typedef unsigned char type; };
template <> struct __lockstep_cached_word<2> { typedef unsigned short type; };
template <> struct __lockstep_cached_word<8> { typedef unsigned long long type; };
/* A load through it. */
template <class T> __LOCKSTEP_INLINE T __lockstep_load_cached(const T *pointer) {
    T value = *pointer;
    typedef typename __lockstep_cached_word<sizeof(T)>::type word;
    if constexpr (sizeof(T) == sizeof(word) && !__is_class(T)) {
        return __builtin_bit_cast(T, __lockstep_cached(pointer, __builtin_bit_cast(word, value)));
    } else {
        constexpr int words = (sizeof(T) + 3) / 4;
        unsigned int all[words] = {};
        __builtin_memcpy(all, (void *)&value, sizeof(T));
#pragma unroll
        for (int index = 0; index < words; ++index) all[index] = __lockstep_cached(pointer, all[index]);
        __builtin_memcpy((void *)&value, all, sizeof(T));
        return value;
    }
}

/* Makes a value one that the documentation leaves undefined: in each thread something else. In runs it has nearly all
   its bits set, which no index is meant to have. */
template <class T> __LOCKSTEP_INLINE void __lockstep_undefine(T &value) {
    constexpr int words = (sizeof(T) + 3) / 4;
    if constexpr (__is_integral(T)) {
        value = (T)((long long)(int)~__lockstep_choice() ^ (words > 1 ? (long long)__lockstep_choice() << 32 : 0));
    } else {
        unsigned int all[words];
#pragma unroll
        for (int word = 0; word < words; ++word) all[word] = ~__lockstep_choice();
        __builtin_memcpy((void *)&value, all, sizeof(T));
    }
}
__LOCKSTEP_INLINE void __lockstep_undefine(float &value) {
    value = __builtin_bit_cast(float, ~__lockstep_choice());
}

/* Any value, in each thread another one; in runs the one given. */
template <class T> __LOCKSTEP_INLINE T __lockstep_chosen(T value) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned int all[words] = {};
    __builtin_memcpy(all, (void *)&value, sizeof(T));
#pragma unroll
    for (int word = 0; word < words; ++word) all[word] = __lockstep_choice(all[word]);
    __builtin_memcpy((void *)&value, all, sizeof(T));
    return value;
}

/* What a library computes of floats it may compute in any order, so that no program knows what is rounded when (and
   what is in an object may be floats): of a result nothing is known but that all it is promised to get the same. */
__LOCKSTEP_INLINE float __lockstep_rounded(float value) {
    return __builtin_bit_cast(float, __lockstep_choice(__builtin_bit_cast(unsigned int, value)));
}
__LOCKSTEP_INLINE double __lockstep_rounded(double value) {
    return __builtin_bit_cast(double, __lockstep_choice(__builtin_bit_cast(unsigned long long, value)));
}
template <class T> __LOCKSTEP_INLINE T __lockstep_rounded(T value) {
    if constexpr (!__is_integral(T) && !__is_pointer(T)) return __lockstep_chosen(value);
    return value;
}

/* What a library computes by a formula that is not documented: on devices as before, on the host the value. */
template <class T> __LOCKSTEP_INLINE T __lockstep_computed(T value) { return __lockstep_rounded(value); }
template <class T> __attribute__((host)) inline T __lockstep_computed(T value) { return value; }

/* Waits for all threads of the block, and orders nothing but what the models of library functions compute with, which
   they declare in this section, by names that begin with `__lockstep_`: no program may know where it lies. */
__LOCKSTEP_DEVICE void __lockstep_library_barrier();
/* Says that temporary storage is used, of whose size something is assumed. */
__LOCKSTEP_DEVICE void __lockstep_library_storage();
#define __LOCKSTEP_HIDDEN static __attribute__((shared, section("lockstep_library")))

#endif
