//pass
//--blockDim=64
// The same with the atomics of the standard library.

#include <cuda/atomic>

using State = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void look_back_atomic(const int *in, int *sums, int *prefixes, unsigned *states, int *out)
{
    if (threadIdx.x != 0)
        return;
    int own = in[blockIdx.x], sum = 0;
    sums[blockIdx.x] = own;
    State mine(states[blockIdx.x]);
    mine.store(1, cuda::memory_order_release);
    for (int at = (int)blockIdx.x - 1; at >= 0; at--) {
        State other(states[at]);
        unsigned state = 0;
        while (state == 0)
            state = other.load(cuda::memory_order_acquire);
        if (state == 2) {
            sum += prefixes[at];
            break;
        }
        sum += sums[at];
    }
    prefixes[blockIdx.x] = sum + own;
    mine.store(2, cuda::memory_order_release);
    out[blockIdx.x] = sum;
}
