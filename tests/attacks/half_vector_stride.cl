//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// vstorea_half3 has a stride of four elements, of which it writes three.

__kernel void half_vector_stride(__global half *out)
{
    uint lid = get_local_id(0);
    vstorea_half3((float3)(lid, 1.0f, 2.0f), lid, out); //~ race
    vstore_half(1.5f, 4 * ((lid + 1) % 64) + 2, out); //~ race
}
