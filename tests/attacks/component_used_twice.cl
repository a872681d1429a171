//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The vector that is loaded for a component is used as a whole, too.

__kernel void component_used_twice(__global float4 *a, __global float4 *out, __global float *x)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        float4 v = a[gid / 2]; //~ race
        x[gid] = v.x;
        out[gid] = v;
    } else {
        a[gid / 2].y = gid; //~ race
    }
}
