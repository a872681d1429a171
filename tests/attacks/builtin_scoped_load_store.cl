//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Loads and stores have scopes, too.

__kernel void scoped_load_store(__global uint *cell, __global uint *out)
{
    __scoped_atomic_store_n(cell, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP); //~ race
    out[get_global_id(0)] = __scoped_atomic_load_n(cell, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP);
}
