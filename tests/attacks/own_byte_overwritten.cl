//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A work-item's own second write changes one byte of its first.

__kernel void own_byte_overwritten(__global int *out)
{
    __local uint index[64];
    uint lid = get_local_id(0);
    index[lid] = lid;
    ((__local uchar *)index)[4 * lid] = 0;
    out[get_group_id(0) * 64 + index[lid]] = lid; //~ race
}
