//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The flags are computed; one of two ways leaves out the memory that matters.

__kernel void barrier_computed_flags_missing(__global int *a, __local int *l, int other)
{
    uint lid = get_local_id(0);
    l[lid] = lid; //~ race
    cl_mem_fence_flags flags = other ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE;
    barrier(flags);
    a[get_global_id(0)] = l[63 - lid]; //~ race
}
