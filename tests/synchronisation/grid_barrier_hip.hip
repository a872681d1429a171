//pass
//--blockDim=64
// Two barriers of all blocks, compared with a sign.

#include <hip/hip_runtime.h>

__global__ void grid_barrier_hip(int *count, int *a, int *b)
{
    int i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    a[i] = i;
    for (int phase = 1; phase <= 2; phase++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __hip_atomic_fetch_add(count, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
            while (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < phase * (int)gridDim.x) {
            }
        }
        __syncthreads();
        if (phase == 1)
            b[i] = a[last - i];
        else
            a[i] = b[last - i];
    }
}
