//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// What a work-item has written itself is gone: another one overwrote it, two barriers ago.

__kernel void own_write_overwritten(__global int *out)
{
    __local uint index[64];
    uint lid = get_local_id(0);
    index[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    index[(lid + 1) % 64] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + index[lid]] = lid; //~ race
}
