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
    return __lockstep_rounded(__lockstep_reduction<Size / 2>::of(group, value, function));
}
template <class T, class F> __LOCKSTEP_INLINE T reduce(const coalesced_group &group, T value, F function) {
    T result = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); ++rank) result = function(result, group.shfl(value, rank));
    return __lockstep_rounded(result);
}

} // namespace cooperative_groups

#endif
