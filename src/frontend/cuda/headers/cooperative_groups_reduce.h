/* Reductions over a group's threads, which order no memory; in which order floats are reduced is not documented. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_REDUCE
#define LOCKSTEP_COOPERATIVE_GROUPS_REDUCE
#pragma clang system_header
#include "cooperative_groups.h"

namespace cooperative_groups {

#define __LOCKSTEP_OPERATION(NAME, ...)                                                                              \
    template <class T> struct NAME {                                                                                 \
        __LOCKSTEP_OF_BOTH T operator()(T a, T b) const { return __VA_ARGS__; }                                      \
    };
__LOCKSTEP_OPERATION(plus, a + b)
__LOCKSTEP_OPERATION(less, b < a ? b : a)
__LOCKSTEP_OPERATION(greater, a < b ? b : a)
__LOCKSTEP_OPERATION(bit_and, a & b)
__LOCKSTEP_OPERATION(bit_or, a | b)
__LOCKSTEP_OPERATION(bit_xor, a ^ b)
#undef __LOCKSTEP_OPERATION

/* Of other functions it is not known whether it matters in which order the threads' values come, which is not documented, so
   that threads may get different results. */
template <class F> struct __lockstep_commutes { static constexpr bool value = false; };
#define __LOCKSTEP_COMMUTES(NAME)                                                                                    \
    template <class T> struct __lockstep_commutes<NAME<T>> { static constexpr bool value = true; };
__LOCKSTEP_COMMUTES(plus)
__LOCKSTEP_COMMUTES(less)
__LOCKSTEP_COMMUTES(greater)
__LOCKSTEP_COMMUTES(bit_and)
__LOCKSTEP_COMMUTES(bit_or)
__LOCKSTEP_COMMUTES(bit_xor)
#undef __LOCKSTEP_COMMUTES
template <class F, class T> __LOCKSTEP_INLINE T __lockstep_reduced(T value) {
    return __lockstep_commutes<F>::value ? __lockstep_rounded(value) : __lockstep_chosen(value);
}

template <unsigned int distance> struct __lockstep_reduction {
    template <class G, class T, class F> __LOCKSTEP_STATIC T of(const G &group, T value, F function) {
        T other = group.shfl_xor(value, distance);
        return __lockstep_reduction<distance / 2>::of(group, (T)function(value, other), function);
    }
};
template <> struct __lockstep_reduction<0> {
    template <class G, class T, class F> __LOCKSTEP_STATIC T of(const G &, T value, F) { return value; }
};
template <unsigned int Size, class P, class T, class F>
__LOCKSTEP_INLINE T reduce(const thread_block_tile<Size, P> &group, T value, F function) {
    return __lockstep_reduced<F>(__lockstep_reduction<Size / 2>::of(group, value, function));
}
template <class T, class F> __LOCKSTEP_INLINE T reduce(const coalesced_group &group, T value, F function) {
    T result = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); ++rank) result = function(result, group.shfl(value, rank));
    return __lockstep_reduced<F>(result);
}

} // namespace cooperative_groups

#endif
