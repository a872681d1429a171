// racy
// run: --local-size 64 --num-groups 1
// The data is in global memory: a release and an acquire of a flag in local memory order that one only.

__kernel void message_in_local_memory(__global int *data, __global int *out)
{
    __local atomic_int flag;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *data = 42; //~ race
        atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) == 0) {
        }
        *out = *data; //~ race
    }
}
