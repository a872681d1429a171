//pass
//--local_size=64 --num_groups=4
// A swizzle of all components of fresh local memory reads nothing there.

__kernel void component_all_of_local(__global float4 *out, __global float4 *in)
{
    __local float4 a[64];
    uint t = get_local_id(0);
    a[t].wzyx = in[get_global_id(0)];
    out[get_global_id(0)] = a[t];
}
