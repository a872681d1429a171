// racy
// run: --local-size 64 --num-groups 1
// The fences are of global memory, the flag is in local memory: such fences meet through flags in global memory only.

__kernel void fences_of_both_memories(__global int *data, __global int *out)
{
    __local atomic_int flag;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *data = 42; //~ race
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group) == 0) {
        }
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
        *out = *data; //~ race
    }
}
