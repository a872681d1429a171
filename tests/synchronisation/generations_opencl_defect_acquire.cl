//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Nothing is acquired by the wait.

void meet(global atomic_uint *count, global atomic_uint *generation)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint now = atomic_load_explicit(generation, memory_order_relaxed, memory_scope_device);
        if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1) {
            atomic_store_explicit(count, 0, memory_order_relaxed, memory_scope_device);
            atomic_store_explicit(generation, now + 1, memory_order_release, memory_scope_device);
        } else {
            while (atomic_load_explicit(generation, memory_order_relaxed, memory_scope_device) == now) {
            }
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void generations_opencl(
    global atomic_uint *count, global atomic_uint *generation, global int *a, global int *b, int steps)
{
    uint i = get_global_id(0), last = get_global_size(0) - 1;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i] + step; //~ race
        meet(count, generation);
        a[i] = b[i]; //~ race
        meet(count, generation);
    }
}
