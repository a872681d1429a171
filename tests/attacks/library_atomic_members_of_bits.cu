//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An operation on bits that is relaxed orders no memory.

#include <cuda/atomic>

__global__ void exchange(const int *in, cuda::atomic<int, cuda::thread_scope_device> *counters, int *out)
{
    __shared__ int a[64], b[64], c[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race and
    counters[t].fetch_and(1, cuda::memory_order_relaxed);
    sum += a[63 - t]; //~ race and
    b[t] = value; //~ race or
    counters[t].fetch_or(1, cuda::memory_order_relaxed);
    sum += b[63 - t]; //~ race or
    c[t] = value; //~ race xor
    counters[t].fetch_xor(1, cuda::memory_order_relaxed);
    sum += c[63 - t]; //~ race xor
    out[t] = sum;
}
