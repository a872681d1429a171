//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_volatile.cl, but shared.

__kernel void component_volatile_defect(volatile __global float4 *a)
{
    uint gid = get_global_id(0);
    a[gid / 2].x = gid; //~ race
}
