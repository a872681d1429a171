//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Bytes have atomics of their own size.

__kernel void scoped_bytes(__global uchar *cell)
{
    __scoped_atomic_fetch_max(cell + 3, get_local_id(0), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); //~ race
}
