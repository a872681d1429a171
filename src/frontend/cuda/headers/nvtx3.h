/* NVTX for C++: ranges and marks, which do nothing. */
#ifndef LOCKSTEP_NVTX3
#define LOCKSTEP_NVTX3
#pragma clang system_header
#include "nvToolsExt.h"

namespace nvtx3 {

struct rgb { template <class... A> explicit constexpr rgb(A &&...) {} };
struct argb { template <class... A> explicit constexpr argb(A &&...) {} };
struct payload { template <class... A> explicit constexpr payload(A &&...) {} };
struct category { template <class... A> explicit constexpr category(A &&...) {} };
struct message { template <class... A> constexpr message(A &&...) {} };
struct event_attributes { template <class... A> explicit event_attributes(A &&...) {} };
template <class D = void> struct scoped_range_in {
    template <class... A> explicit scoped_range_in(A &&...) {}
    ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<>;
using scoped_thread_range = scoped_range_in<>;
template <class D = void> struct unique_range_in {
    template <class... A> explicit unique_range_in(A &&...) {}
    ~unique_range_in() {}
};
using unique_range = unique_range_in<>;
template <class D = void, class... A> void mark_in(A &&...) {}
template <class... A> void mark(A &&...) {}

} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)

#endif
