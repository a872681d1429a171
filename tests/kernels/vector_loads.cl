//pass
//--local_size=64 --num_groups=16
// vload and vstore count in vectors; half values are stored two bytes each.

__kernel void vector_loads(__global const float *in, __global float *out, __global half *halves)
{
    uint gid = get_global_id(0);
    float3 v = vload3(gid, in);
    vstore3(v.zyx, gid, out);
    vstore_half2(v.xy, gid, halves);
}
