//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The exchange reads what was set, and not what was counted.

__kernel void k(__global int *data, __global atomic_uint *count, __global int *out)
{
    __local int last;
    uint t = get_local_id(0), g = get_group_id(0);
    if (t == 0) {
        data[g] = 1; //~ race
        last = atomic_fetch_add_explicit(count, 1u, memory_order_release, memory_scope_device) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last) {
        if (t == 1)
            atomic_store_explicit(count, 100u, memory_order_relaxed, memory_scope_device);
        if (t == 2) {
            uint old = atomic_exchange_explicit(count, 7u, memory_order_acquire, memory_scope_device);
            if (old == 100)
                out[g] = data[(g + 1) % get_num_groups(0)]; //~ race
        }
    }
}
