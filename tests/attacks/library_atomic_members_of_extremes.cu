//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An operation that is relaxed orders no memory, and a notification is none.

#include <cuda/atomic>

__global__ void exchange(const int *in, cuda::atomic<int, cuda::thread_scope_device> *counters, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race min
    counters[t].fetch_min(1, cuda::memory_order_relaxed);
    sum += a[63 - t]; //~ race min
    b[t] = value; //~ race max
    counters[t].fetch_max(1, cuda::memory_order_relaxed);
    sum += b[63 - t]; //~ race max
    c[t] = value; //~ race one
    counters[t].notify_one();
    sum += c[63 - t]; //~ race one
    d[t] = value; //~ race all
    counters[t].notify_all();
    sum += d[63 - t]; //~ race all
    out[t] = sum;
}
