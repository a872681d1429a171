//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_two_threads.cl, but both write the same component.

__kernel void component_two_threads_defect(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].x = gid; //~ race
    } else {
        a[gid / 2].x = gid; //~ race
    }
}
