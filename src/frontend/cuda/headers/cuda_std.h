/* cuda::std: the standard library's own, of which devices have what is constexpr. What has a definition of its own in
   cuda::std, as atomics have, is that. */
#ifndef LOCKSTEP_CUDA_STD
#define LOCKSTEP_CUDA_STD
#pragma clang system_header
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace cuda {
namespace std {

using namespace ::std;

#if __cplusplus < 202002L
constexpr ::size_t dynamic_extent = -1;
template <class T, ::size_t Extent = dynamic_extent> class span {
    T *from = nullptr;
    ::size_t count = Extent == dynamic_extent ? 0 : Extent;

public:
    using element_type = T;
    using value_type = typename ::std::remove_cv<T>::type;
    using size_type = ::size_t;
    using difference_type = ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    using iterator = T *;
    static constexpr ::size_t extent = Extent;
    constexpr span() = default;
    __LOCKSTEP_OF_BOTH constexpr span(T *first, ::size_t count) : from(first), count(count) {}
    __LOCKSTEP_OF_BOTH constexpr span(T *first, T *last) : from(first), count(last - first) {}
    template <::size_t N> __LOCKSTEP_OF_BOTH constexpr span(T (&array)[N]) : from(array), count(N) {}
    template <class A, class = decltype(static_cast<T *>(::std::declval<A &>().data()))>
    __LOCKSTEP_OF_BOTH constexpr span(A &array) : from(array.data()), count(array.size()) {}
    template <class A, class = decltype(static_cast<T *>(::std::declval<const A &>().data()))>
    __LOCKSTEP_OF_BOTH constexpr span(const A &array) : from(array.data()), count(array.size()) {}
    __LOCKSTEP_OF_BOTH constexpr T &operator[](::size_t index) const { return from[index]; }
    __LOCKSTEP_OF_BOTH constexpr T &front() const { return from[0]; }
    __LOCKSTEP_OF_BOTH constexpr T &back() const { return from[count - 1]; }
    __LOCKSTEP_OF_BOTH constexpr T *data() const { return from; }
    __LOCKSTEP_OF_BOTH constexpr T *begin() const { return from; }
    __LOCKSTEP_OF_BOTH constexpr T *end() const { return from + count; }
    __LOCKSTEP_OF_BOTH constexpr ::size_t size() const { return count; }
    __LOCKSTEP_OF_BOTH constexpr ::size_t size_bytes() const { return count * sizeof(T); }
    __LOCKSTEP_OF_BOTH constexpr bool empty() const { return count == 0; }
    __LOCKSTEP_OF_BOTH constexpr span<T> subspan(::size_t offset, ::size_t count = dynamic_extent) const {
        return {from + offset, count == dynamic_extent ? this->count - offset : count};
    }
    __LOCKSTEP_OF_BOTH constexpr span<T> first(::size_t count) const { return {from, count}; }
    __LOCKSTEP_OF_BOTH constexpr span<T> last(::size_t count) const { return {from + (this->count - count), count}; }
};
#endif

} // namespace std
} // namespace cuda

#endif
