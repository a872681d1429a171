/* Scans over a group's threads, which order no memory; in which order floats are added up is not documented. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_SCAN
#define LOCKSTEP_COOPERATIVE_GROUPS_SCAN
#pragma clang system_header
#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <unsigned int distance, unsigned int Size, bool = (distance < Size)> struct __lockstep_scan {
    template <class G, class T, class F> __LOCKSTEP_STATIC T of(const G &group, T value, F function) {
        T other = group.shfl_up(value, distance);
        T next = group.thread_rank() >= distance ? (T)function(other, value) : value;
        return __lockstep_scan<distance * 2, Size>::of(group, next, function);
    }
};
template <unsigned int distance, unsigned int Size> struct __lockstep_scan<distance, Size, false> {
    template <class G, class T, class F> __LOCKSTEP_STATIC T of(const G &, T value, F) { return value; }
};
template <unsigned int Size, class P, class T, class F>
__LOCKSTEP_INLINE T inclusive_scan(const thread_block_tile<Size, P> &group, T value, F function) {
    return __lockstep_rounded(__lockstep_scan<1, Size>::of(group, value, function));
}
template <class T, class F> __LOCKSTEP_INLINE T inclusive_scan(const coalesced_group &group, T value, F function) {
    T result = value;
    for (unsigned int distance = 1; distance < group.size(); ++distance) {
        T other = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance) result = function(other, result);
    }
    return __lockstep_rounded(result);
}
template <class G, class T> __LOCKSTEP_INLINE T inclusive_scan(const G &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
/* The first thread's result is documented for sums only, by an example. */
template <class F> struct __lockstep_is_plus { static constexpr bool value = false; };
template <class T> struct __lockstep_is_plus<plus<T>> { static constexpr bool value = true; };
template <class G, class T, class F> __LOCKSTEP_INLINE T exclusive_scan(const G &group, T value, F function) {
    T before = group.shfl_up(inclusive_scan(group, value, function), 1);
    if (group.thread_rank() > 0) return before;
    if constexpr (__lockstep_is_plus<F>::value) return T();
    __lockstep_undefine(before);
    return before;
}
template <class G, class T> __LOCKSTEP_INLINE T exclusive_scan(const G &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
