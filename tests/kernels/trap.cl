//pass
//--local_size=64 --num_groups=16
// A thread may end by a trap.

__kernel void trap(__global int *a)
{
    uint gid = get_global_id(0);
    if (a[gid] < 0) {
        __builtin_trap();
    }
    a[gid] = gid;
}
