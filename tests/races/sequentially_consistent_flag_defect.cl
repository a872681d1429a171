// racy
// run: --local-size 64 --num-groups 1
// The load acquires, but it is not sequentially consistent: it learns of local memory only.

__kernel void sequentially_consistent_flag(__global int *data, __global int *out)
{
    __local atomic_int flag;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *data = 42; //~ race
        atomic_store(&flag, 1);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_device) == 0) {
        }
        *out = *data; //~ race
    }
}
