// racy
// run: --local-size 64 --num-groups 2
// What is read is the other group's: the flag does not speak of it.

__kernel void message_in_group(__global int *data, volatile __global atomic_int *flags, __global int *out)
{
    uint group = get_group_id(0);
    if (get_local_id(0) == 0) {
        data[group] = 42; //~ race
        atomic_store_explicit(&flags[group], 1, memory_order_release, memory_scope_work_group);
    } else if (get_local_id(0) == 32) {
        while (atomic_load_explicit(&flags[group], memory_order_acquire, memory_scope_work_group) == 0) {
        }
        out[group] = data[1 - group]; //~ race
    }
}
