//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A store of the whole vector writes the component, too.

__kernel void component_against_whole(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].y = gid; //~ race
    } else {
        a[gid / 2] = (float4)(gid); //~ race
    }
}
