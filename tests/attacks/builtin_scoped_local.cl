//pass
//--local_size=64 --num_groups=4
// Each group has a counter of its own.

__kernel void scoped_local(__local int *counter, __global int *out)
{
    if (get_local_id(0) == 0)
        *counter = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *counter;
}
