// race-free
// run: --local-size 1 --num-groups 2
// Fences of device scope around relaxed operations on the flag.

__kernel void message_with_fences(__global int *data, volatile __global atomic_int *flag, __global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) == 0) {
        }
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        *out = *data;
    }
}
