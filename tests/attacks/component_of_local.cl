//pass
//--local_size=64 --num_groups=4
// Fresh local memory is filled component by component. Nobody reads what nobody wrote.

__kernel void component_of_local(__global float *out)
{
    __local float4 a[64];
    uint t = get_local_id(0);
    a[t].x = t;
    a[t].y = 1;
    a[t].zw = (float2)(2, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 other = a[63 - t];
    out[get_global_id(0)] = other.x + other.y + other.z + other.w;
}
