// A function that calls itself.
// launch: --local_size=64
// only: nvcc
// expect: unknown
// finding: Lockstep inlines calls, and refuses this one
__device__ __noinline__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

extern "C" __global__ void __launch_bounds__(64) recursion(const int *in, int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = ackermann(2, in[i] & 7);
}
