//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A plain store beside them.

__kernel void sync_beside(__global int *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); //~ race
    *counter = 0; //~ race
}
