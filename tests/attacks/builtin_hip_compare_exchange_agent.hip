//pass
//--block-dim=64 --grid-dim=4
// Compare-exchange between all.

__global__ void hip_compare_exchange_agent(int *lock, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    int expected = 0;
    __hip_atomic_compare_exchange_strong(lock, &expected, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_store(lock + 1, expected, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
