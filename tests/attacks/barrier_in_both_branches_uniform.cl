//pass
//--local_size=64 --num_groups=16
// Which barrier is reached depends on the group only: nobody waits in vain.

__kernel void barrier_in_both_branches(__global int *out)
{
    __local int a[64];
    uint lid = get_local_id(0);
    a[lid] = lid;
    if (get_group_id(0) % 2 == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = a[63 - lid];
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = a[lid ^ 1];
    }
}
