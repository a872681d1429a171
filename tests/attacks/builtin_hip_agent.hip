//pass
//--block-dim=64 --grid-dim=4
// The scope is the device.

__global__ void hip_agent(int *counter, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
