//pass
//--local_size=64 --num_groups=4
// Vectors of three components take the place of four. The fourth is nobody's: it is not written component by component, and it is not
// read with the whole.

__kernel void component_of_three(__global float3 *out)
{
    __local float3 a[64];
    uint t = get_local_id(0);
    a[t].x = t;
    a[t].zy = (float2)(1, 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[63 - t];
}
