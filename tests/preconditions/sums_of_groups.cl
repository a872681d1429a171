//conditional: get_num_groups(0) <= 64
//--local-size=64 --num-groups=*
// contract: get_num_groups(0) <= 64
// One group adds the sums of all groups, of which there are at most 64.

__kernel void scan_of_sums(__global const int *in, __global int *out)
{
    __local int sums[64];
    int lid = get_local_id(0), groups = get_num_groups(0);
    if (lid == 0)
        for (int i = 0; i < groups; i++)
            sums[i] = in[i];
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[get_global_id(0)] = sums[get_group_id(0)];
}
