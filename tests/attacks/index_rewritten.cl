//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The index in local memory is good before the second barrier and spoilt after it.

__kernel void index_rewritten(__global uint *out)
{
    __local uint index[64];
    __local uint cells[64];
    uint lid = get_local_id(0);
    index[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    cells[index[lid] % 64] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    index[63 - lid] = lid / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    cells[index[lid] % 64] = lid; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = cells[lid];
}
