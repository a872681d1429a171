/* Copies by a group that go on beside its threads. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define LOCKSTEP_COOPERATIVE_GROUPS_MEMCPY_ASYNC
#pragma clang system_header
#include "cooperative_groups.h"
#include "lockstep/copies.h"

__LOCKSTEP_DEVICE void __lockstep_refused_memcpy_async();

namespace cooperative_groups {

/* The threads of a block share a copy, which is a batch of its own. Other groups are refused. */
template <class G, class T, class S>
__LOCKSTEP_INLINE void memcpy_async(const G &, T *to, const T *from, const S &bytes) {
    __lockstep_refused_memcpy_async();
}
template <class T, class S>
__LOCKSTEP_INLINE void memcpy_async(const thread_block &, T *to, const T *from, const S &bytes) {
    __lockstep_share_copy_async(to, from, bytes, __lockstep_aligned<T, S>::value);
    __lockstep_commit_async();
}
/* The layouts are numbers of elements, of which the smaller counts. */
template <class G, class T, class D, class S>
__LOCKSTEP_INLINE void memcpy_async(const G &group, T *to, const D &most, const T *from, const S &elements) {
    size_t count = (size_t)most < (size_t)elements ? (size_t)most : (size_t)elements;
    if constexpr (__lockstep_align_by<S>::value > 1) {
        memcpy_async(group, to, from, S(count * sizeof(T)));
    } else {
        memcpy_async(group, to, from, count * sizeof(T));
    }
}
/* Each thread waits for its part of the copies, and the group then waits for all of its threads. */
template <unsigned int stages, class G> __LOCKSTEP_INLINE void wait_prior(const G &group) {
    __lockstep_wait_async(stages);
    group.sync();
}
template <class G> __LOCKSTEP_INLINE void wait(const G &group) { wait_prior<0>(group); }

} // namespace cooperative_groups

#endif
