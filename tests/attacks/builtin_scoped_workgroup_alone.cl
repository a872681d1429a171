//pass
//--local_size=64 --num_groups=1
// The scope is the group, and there is one.

__kernel void scoped_workgroup_alone(__global int *counter, __global int *out)
{
    out[get_global_id(0)] = 1;
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
