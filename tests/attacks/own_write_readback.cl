//pass
//--local_size=64 --num_groups=16
// A work-item reads back the index that it has written itself since the last barrier.

__kernel void own_write_readback(__global int *out)
{
    __local uint index[64];
    uint lid = get_local_id(0);
    index[lid] = 63 - lid;
    out[get_group_id(0) * 64 + index[lid]] = lid;
}
