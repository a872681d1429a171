//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_computed.cl, but two threads take the same number.

__kernel void component_computed_defect(__global float4 *a)
{
    uint gid = get_global_id(0);
    a[gid / 4][gid & 1] = gid; //~ race
}
