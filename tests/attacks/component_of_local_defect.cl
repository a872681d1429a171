//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_of_local.cl, but without the barrier.

__kernel void component_of_local_defect(__global float *out)
{
    __local float4 a[64];
    uint t = get_local_id(0);
    a[t].x = t; //~ race x
    a[t].y = 1; //~ race y
    a[t].zw = (float2)(2, 3); //~ race zw
    float4 other = a[63 - t]; //~ race x y zw
    out[get_global_id(0)] = other.x + other.y + other.z + other.w;
}
