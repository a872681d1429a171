// racy
// run: --local-size 64 --num-groups 1
// The writer's fence is of local memory only: nothing of global memory is released.

__kernel void fences_of_both_memories(__global int *data, __global int *out)
{
    __local atomic_int flag;
    cl_mem_fence_flags both = CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *data = 42; //~ race
        atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group) == 0) {
        }
        atomic_work_item_fence(both, memory_order_acquire, memory_scope_work_group);
        *out = *data; //~ race
    }
}
