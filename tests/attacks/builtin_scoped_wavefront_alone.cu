//pass
//--block-dim=32 --grid-dim=1
// The scope is the warp, the block is one.

__global__ void scoped_wavefront_alone(int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WVFRNT);
}
