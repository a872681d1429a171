//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A vector that is assigned to itself is read and written, even if it stays the same.

__kernel void component_assigned_to_itself(__global float4 *a)
{
    uint gid = get_global_id(0);
    __global float4 *p = &a[gid / 2];
    if (gid & 1) {
        *p = *p; //~ race
    } else {
        p->y = gid; //~ race
    }
}
