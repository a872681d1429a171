//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A store of all three components may write what lies in the place of a fourth.

__kernel void component_behind_three(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].w = gid; //~ race
    } else {
        *(__global float3 *)&a[gid / 2] = (float3)(gid); //~ race
    }
}
