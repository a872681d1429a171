//pass
//--local_size=64 --num_groups=4
// A component is counted in atomically, the one beside it is written.

__kernel void component_atomic(__global int2 *a)
{
    uint gid = get_global_id(0);
    __global int *counter = (__global int *)&a[0];
    atomic_add(counter + 1, 1);
    if (gid == 5) {
        a[0].x = gid;
    }
}
