//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The scope is the group, the counter is shared by all groups.

__kernel void scoped_workgroup(__global int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); //~ race
}
