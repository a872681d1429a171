//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A swizzle of all components writes the whole vector.

__kernel void component_all_in_order(__global float4 *a, __global float4 *in)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].wzyx = in[gid]; //~ race
    } else {
        a[gid / 2].y = gid; //~ race
    }
}
