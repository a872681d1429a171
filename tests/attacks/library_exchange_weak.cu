//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A weak comparison that is relaxed orders no memory, nor does a strong one.

#include <cuda/atomic>

__global__ void exchange(const int *in, cuda::atomic<int, cuda::thread_scope_device> *counters, int *out)
{
    __shared__ int a[64], b[64], c[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race weak
    int seen = 0;
    counters[t].compare_exchange_weak(seen, 1, cuda::memory_order_relaxed);
    sum += a[63 - t]; //~ race weak
    b[t] = value; //~ race strong
    int found = 0;
    counters[t].compare_exchange_strong(found, 1, cuda::memory_order_relaxed);
    sum += b[63 - t]; //~ race strong
    c[t] = value; //~ race exchange
    counters[t].exchange(1, cuda::memory_order_relaxed);
    sum += c[63 - t]; //~ race exchange
    out[t] = sum;
}
