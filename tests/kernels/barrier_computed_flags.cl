//pass
//--local_size=64 --num_groups=16
// The flags are computed, and always name the memory that matters.

__kernel void barrier_computed_flags(__global int *a, __local int *l, int both)
{
    uint lid = get_local_id(0);
    l[lid] = lid;
    cl_mem_fence_flags flags = both ? CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE;
    barrier(flags);
    a[get_global_id(0)] = l[63 - lid];
}
