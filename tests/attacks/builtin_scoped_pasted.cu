//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The name is pasted.

#define PASTE(A, B) A##B
__global__ void scoped_pasted(int *counter)
{
    PASTE(__scoped_atomic_, fetch_add)(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); //~ race
}
