//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The flags of the barrier are computed, and may order local memory only.

__kernel void barrier_computed_flags_local(__global int *a, int local_only)
{
    int id = get_local_id(0);
    a[id] = id; //~ race
    barrier(local_only ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    int next = a[(id + 1) % 64]; //~ race
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[id] = next;
}
