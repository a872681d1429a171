//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The scope is the warp, the block has two.

__global__ void scoped_wavefront(int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WVFRNT); //~ race
}
