//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --no-check=uninitialised
// Local memory starts with any contents: the index read from it may be the same for all.

__kernel void uninitialised_local(__global int *out)
{
    __local uchar index[64];
    uint lid = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 256 + index[lid]] = lid; //~ race
}
