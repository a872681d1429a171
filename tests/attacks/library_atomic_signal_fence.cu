//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A fence for signals orders nothing among threads, and a question of locks neither.

#include <cuda/atomic>

__global__ void exchange(const int *in, cuda::atomic<int, cuda::thread_scope_device> *counters, int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race fence
    cuda::std::atomic_signal_fence(cuda::memory_order_seq_cst);
    sum += a[63 - t]; //~ race fence
    b[t] = value; //~ race lock
    sum += counters[t].is_lock_free();
    sum += b[63 - t]; //~ race lock
    out[t] = sum;
}
