// race-free
// run: --local-size 1 --num-groups 3
// From the first group to the second one, from there to the third: what was acquired is released again.

__kernel void message_passed_on(__global int *data, volatile __global atomic_int *flags, __global int *out)
{
    uint group = get_group_id(0);
    if (group == 0) {
        *data = 42;
    } else {
        while (atomic_load_explicit(&flags[group - 1], memory_order_acquire, memory_scope_device) == 0) {
        }
    }
    if (group == 2) {
        *out = *data;
    }
    atomic_store_explicit(&flags[group], 1, memory_order_release, memory_scope_device);
}
