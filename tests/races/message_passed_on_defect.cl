// racy
// run: --local-size 1 --num-groups 3
// What was acquired is not released again: the stores are relaxed but for the first one's.

__kernel void message_passed_on(__global int *data, volatile __global atomic_int *flags, __global int *out)
{
    uint group = get_group_id(0);
    if (group == 0) {
        *data = 42; //~ race
        atomic_store_explicit(&flags[0], 1, memory_order_release, memory_scope_device);
        return;
    }
    while (atomic_load_explicit(&flags[group - 1], memory_order_acquire, memory_scope_device) == 0) {
    }
    if (group == 2) {
        *out = *data; //~ race
    }
    atomic_store_explicit(&flags[group], 1, memory_order_relaxed, memory_scope_device);
}
