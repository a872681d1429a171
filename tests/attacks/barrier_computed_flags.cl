//pass
//--local_size=64 --num_groups=1
// The flags of the barrier are computed; whatever else they are, they order global memory.

__kernel void barrier_computed_flags(__global int *a, int local_too)
{
    int id = get_local_id(0);
    a[id] = id;
    barrier(local_too ? CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    int next = a[(id + 1) % 64];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[id] = next;
}
