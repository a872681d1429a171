//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_atomic.cl, but it is the counter that is written.

__kernel void component_atomic_defect(__global int2 *a)
{
    uint gid = get_global_id(0);
    __global int *counter = (__global int *)&a[0];
    atomic_add(counter + 1, 1); //~ race
    if (gid == 5) {
        a[0].y = gid; //~ race
    }
}
