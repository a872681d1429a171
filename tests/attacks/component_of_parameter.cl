//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A function changes a component of its own copy of the vector; the copy is written back.

float4 with_x(float4 v, float x)
{
    v.x = x;
    return v;
}

__kernel void component_of_parameter(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2] = with_x(a[gid / 2], gid); //~ race
    } else {
        a[gid / 2].w = gid; //~ race
    }
}
