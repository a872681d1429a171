//unknown
//--block-dim=64 --grid-dim=1
// A semaphore of libcu++ is refused.

#include <cuda/semaphore>

__global__ void exchange(cuda::counting_semaphore<cuda::thread_scope_device> *several,
                         cuda::binary_semaphore<cuda::thread_scope_device> *one, int *out)
{
    several->acquire(); //~ unsupported
    one->acquire();
    out[0] = threadIdx.x;
    one->release();
    several->release();
}
