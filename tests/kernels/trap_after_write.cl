//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// What a thread wrote before it trapped has been written.

__kernel void trap_after_write(__global int *a)
{
    uint gid = get_global_id(0);
    if (gid == 0) {
        a[1] = 7; //~ race
        __builtin_trap();
    }
    a[gid] = gid; //~ race
}
