//pass
//--local_size=64 --num_groups=1
// The fourth element is left alone by vstorea_half3; vstore_half3 has a stride of three.

__kernel void half_vector_stride_between(__global half *out, __global half *packed)
{
    uint lid = get_local_id(0);
    vstorea_half3((float3)(lid, 1.0f, 2.0f), lid, out);
    vstore_half(1.5f, 4 * ((lid + 1) % 64) + 3, out);
    vstore_half3((float3)(lid, 1.0f, 2.0f), lid, packed);
}
