//pass
//--block-dim=64 --grid-dim=4
// The scope is the device and the host.

__global__ void hip_system(float *cell, float *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = __hip_atomic_exchange(cell, 1.0f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
