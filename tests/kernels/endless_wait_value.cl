//pass
//--local_size=64
// The flag gets the value for which the others wait.

__kernel void flag(__global atomic_int *ready, __global int *data, __global int *copy)
{
    if (get_group_id(0) == 0) {
        data[get_local_id(0)] = get_local_id(0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            atomic_store_explicit(ready, 2, memory_order_release, memory_scope_device);
    } else {
        if (get_local_id(0) == 0)
            while (atomic_load_explicit(ready, memory_order_acquire, memory_scope_device) != 2) {
            }
        barrier(CLK_GLOBAL_MEM_FENCE);
        copy[get_global_id(0)] = data[get_local_id(0)];
    }
}
