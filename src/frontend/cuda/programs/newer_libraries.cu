// Declarations in headers of newer libraries, beside device code that uses them.

// Functions of CUDA that C23 has too: <math.h> of glibc 2.41 declares cospi and sinpi, that of 2.42 rsqrt.
extern "C" {
extern double cospi(double __x) noexcept(true);
extern double sinpi(double __x) noexcept(true);
extern double rsqrt(double __x) noexcept(true);
extern float cospif(float __x) noexcept(true);
extern float sinpif(float __x) noexcept(true);
extern float rsqrtf(float __x) noexcept(true);
extern long double cospil(long double __x) noexcept(true);
}

// Assertions in constant expressions, as in <span> of libstdc++ 14.
namespace std {
__attribute__((__always_inline__, __visibility__("default"))) inline void __glibcxx_assert_fail() {}
extern "C++" __attribute__((__noreturn__)) void __glibcxx_assert_fail(const char *__file, int __line,
                                                                      const char *__function,
                                                                      const char *__condition) noexcept;
constexpr int checked(int i) {
    return __builtin_is_constant_evaluated() && i < 0 ? std::__glibcxx_assert_fail(), i : i;
}
constexpr int asserted(int i) {
    return i < 0 ? std::__glibcxx_assert_fail(__FILE__, __LINE__, __PRETTY_FUNCTION__, "i < 0"), i : i;
}
} // namespace std

__host__ __device__ double both(double x) { return cospi(x) + sinpi(x) + rsqrt(x) + rsqrtf(2.0f); }

__global__ void kernel(float *a, double *b) {
    int i = threadIdx.x;
    a[std::checked(i)] = cospi(a[std::asserted(i)]) + sinpi(a[i]) + rsqrt(a[i]) + cospif(a[i]) + sinpif(a[i]) + rsqrtf(a[i]);
    b[i] = cospi(b[i]) + sinpi(b[i]) + rsqrt(b[i]) + both(b[i]);
}

int main() {
    float x = cospi(1.0f) + sinpi(1.0f) + rsqrt(1.0f) + cospif(1.0f);
    double y = cospi(1.0) + sinpi(1.0) + rsqrt(1.0) + both(x);
    kernel<<<1, 2>>>(nullptr, &y);
}
