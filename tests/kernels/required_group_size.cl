//pass
//--num_groups=16
// The source fixes the group size, the command line does not say it.

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void required(__global uint *out)
{
    __local uint a[32];
    uint lid = get_local_id(0);
    a[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[31 - lid];
}
