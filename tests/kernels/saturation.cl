//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Saturated subtraction is 0 for the first six work-items.

__kernel void saturation(__global uint *a)
{
    uint gid = get_global_id(0);
    a[sub_sat(gid, 5u)] = gid; //~ race
}
