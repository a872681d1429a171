//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The scope is the thread alone.

__kernel void scoped_single(__global int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_SINGLE); //~ race
}
