// race-free
// run: --local-size 64 --num-groups 1
// A flag in local memory brings the data of local memory.

__kernel void message_in_local_memory(__global int *out)
{
    __local int data;
    __local atomic_int flag;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        data = 42;
        atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) == 0) {
        }
        *out = data;
    }
}
