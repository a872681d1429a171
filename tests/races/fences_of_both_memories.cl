// race-free
// run: --local-size 64 --num-groups 1
// Fences of both memories on both sides order both, though the flag is in local memory.

__kernel void fences_of_both_memories(__global int *data, __global int *out)
{
    __local atomic_int flag;
    cl_mem_fence_flags both = CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *data = 42;
        atomic_work_item_fence(both, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group) == 0) {
        }
        atomic_work_item_fence(both, memory_order_acquire, memory_scope_work_group);
        *out = *data;
    }
}
