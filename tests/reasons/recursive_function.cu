//unknown
//--blockDim=64 --gridDim=2
// A function is named as the source names it.
//reason: recursive function sums::sum
namespace sums {
__device__ __noinline__ int sum(const int *in, int n) { return n == 0 ? 0 : in[n - 1] + sum(in, n - 1); }
} // namespace sums

__global__ void recursive_function(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sums::sum(in, i);
}
