/* Warp matrix functions: refused by name. */
#ifndef LOCKSTEP_MMA
#define LOCKSTEP_MMA
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "lockstep/any.h"

__LOCKSTEP_DEVICE void __lockstep_refused_wmma_fill_fragment(), __lockstep_refused_wmma_load_matrix_sync(),
    __lockstep_refused_wmma_store_matrix_sync(), __lockstep_refused_wmma_mma_sync();

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
} // namespace precision
enum layout_t { mem_row_major, mem_col_major };

template <class T> struct __lockstep_element { typedef T type; };
template <> struct __lockstep_element<precision::tf32> { typedef float type; };
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    typedef typename __lockstep_element<T>::type element_type;
    static constexpr int num_elements = 8;
    element_type x[num_elements];
};
#define __LOCKSTEP_WMMA(NAME)                                                                                        \
    template <class... A> __LOCKSTEP_INLINE void NAME(A &&...) { __lockstep_refused_wmma_##NAME(); }
__LOCKSTEP_WMMA(fill_fragment)
__LOCKSTEP_WMMA(load_matrix_sync)
__LOCKSTEP_WMMA(store_matrix_sync)
__LOCKSTEP_WMMA(mma_sync)
#undef __LOCKSTEP_WMMA
__LOCKSTEP_INLINE float __float_to_tf32(float a) { return __lockstep_rounded(a); }
} // namespace wmma
} // namespace nvcuda

#endif
