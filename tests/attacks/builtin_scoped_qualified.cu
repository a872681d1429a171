//pass
//--block-dim=64 --grid-dim=4
// The name is qualified.

__global__ void scoped_qualified(int *counter, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    ::__scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}
