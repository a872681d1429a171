//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The scope is the block, the counter is shared by all blocks.

__global__ void scoped_workgroup(int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); //~ race
}
