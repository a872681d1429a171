/* cuda::maximum, cuda::minimum, and functions that say what they return. */
#ifndef LOCKSTEP_CUDA_FUNCTIONAL
#define LOCKSTEP_CUDA_FUNCTIONAL
#pragma clang system_header
#include "cuda/std/functional"

namespace cuda {

#define __LOCKSTEP_OPERATION(NAME, ...)                                                                              \
    template <class T = void> struct NAME {                                                                          \
        __LOCKSTEP_OF_BOTH constexpr T operator()(const T &a, const T &b) const { return __VA_ARGS__; }              \
    };                                                                                                               \
    template <> struct NAME<void> {                                                                                  \
        template <class A, class B> __LOCKSTEP_OF_BOTH constexpr auto operator()(const A &a, const B &b) const {     \
            return __VA_ARGS__;                                                                                      \
        }                                                                                                            \
    };
#if __cplusplus >= 201402L
__LOCKSTEP_OPERATION(maximum, a < b ? b : a)
__LOCKSTEP_OPERATION(minimum, b < a ? b : a)
#endif
#undef __LOCKSTEP_OPERATION
template <class R, class F> __LOCKSTEP_BOTH F proclaim_return_type(F function) { return function; }
template <class F> __LOCKSTEP_BOTH F proclaim_copyable_arguments(F function) { return function; }

} // namespace cuda

#endif
