//unknown
//--blockDim=64 --gridDim=2
// A class of libcu++ that is not modelled is named as the source names it.
//reason: cuda::barrier
#include <cuda/barrier>

__global__ void refused_barrier(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_device> arrived;
    if (threadIdx.x == 0) init(&arrived, blockDim.x);
    __syncthreads();
    arrived.arrive_and_wait();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
