//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// One thread of each group finds the lock free, and they meet there.

__kernel void scoped_winner_of_each_group(__global int *lock, __global int *out)
{
    int expected = 0;
    __scoped_atomic_compare_exchange_n(lock, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); //~ race
    out[get_global_id(0)] = expected;
}
