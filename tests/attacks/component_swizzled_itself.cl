//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// `v.xy = v.xy` writes both components; `z` and `w` are others.

__kernel void component_swizzled_itself(__global float4 *a)
{
    uint gid = get_global_id(0);
    __global float4 *p = &a[gid / 2];
    if (gid & 1) {
        p->xy = p->xy; //~ race
    } else {
        p->y = gid; //~ race
    }
}
