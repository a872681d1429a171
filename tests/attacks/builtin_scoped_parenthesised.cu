//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The name stands in parentheses.

__global__ void scoped_parenthesised(int *counter)
{
    (__scoped_atomic_fetch_add)(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); //~ race
}
