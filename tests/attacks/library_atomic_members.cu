//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An operation that is relaxed orders no memory.

#include <cuda/atomic>

__global__ void exchange(const int *in, cuda::atomic<int, cuda::thread_scope_device> *counters, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race load
    sum += counters[t].load(cuda::memory_order_relaxed);
    sum += a[63 - t]; //~ race load
    b[t] = value; //~ race store
    counters[t].store(1, cuda::memory_order_relaxed);
    sum += b[63 - t]; //~ race store
    c[t] = value; //~ race add
    counters[t].fetch_add(1, cuda::memory_order_relaxed);
    sum += c[63 - t]; //~ race add
    d[t] = value; //~ race sub
    counters[t].fetch_sub(1, cuda::memory_order_relaxed);
    sum += d[63 - t]; //~ race sub
    out[t] = sum;
}
