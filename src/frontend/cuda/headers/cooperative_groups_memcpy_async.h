/* Copies by a group that go on beside its threads: refused by name. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define LOCKSTEP_COOPERATIVE_GROUPS_MEMCPY_ASYNC
#pragma clang system_header
#include "cooperative_groups.h"

__LOCKSTEP_DEVICE void __lockstep_refused_memcpy_async();

namespace cooperative_groups {

template <class... A> __LOCKSTEP_INLINE void memcpy_async(A &&...) { __lockstep_refused_memcpy_async(); }
template <class G> __LOCKSTEP_INLINE void wait(const G &) { __lockstep_refused_memcpy_async(); }
template <unsigned int stages, class G> __LOCKSTEP_INLINE void wait_prior(const G &) {
    __lockstep_refused_memcpy_async();
}

} // namespace cooperative_groups

#endif
