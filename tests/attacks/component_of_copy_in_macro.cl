//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_of_copy.cl, where all of it has one place in the source.

#define SET(p, e) do { float4 v = *(p); v.x = (e); *(p) = v; } while (0)

__kernel void component_of_copy_in_macro(__global float4 *a)
{
    uint gid = get_global_id(0);
    __global float4 *p = &a[gid / 2];
    if (gid & 1) {
        SET(p, gid); //~ race
    } else {
        p->y = gid; //~ race
    }
}
