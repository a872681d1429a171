//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Groups count at the scope of a group.

void meet(global atomic_uint *count, uint goal)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_fetch_add_explicit(count, 1, memory_order_release, memory_scope_work_group); //~ race
        while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < goal) {
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

kernel void grid_barrier_opencl(global atomic_uint *count, global int *a, global int *b, int steps)
{
    size_t i = get_global_id(0), last = get_global_size(0) - 1;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i];
        meet(count, (2 * step + 1) * get_num_groups(0));
        a[i] = b[i];
        meet(count, (2 * step + 2) * get_num_groups(0));
    }
}
