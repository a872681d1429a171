//pass
//--block-dim=64 --grid-dim=1
// The scope is the block, and there is one.

__global__ void nv_block_alone(int *counter, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
