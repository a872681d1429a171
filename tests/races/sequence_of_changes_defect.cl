// racy
// run: --local-size 1 --num-groups 3
// schedules: in-order
// A relaxed store of another work-item ends the release sequence: a race of the runs in which the last group reads
// the 2 alone, and never the 1, whose release it would acquire.

__kernel void sequence_of_changes(__global int *data, volatile __global atomic_int *flag, __global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42; //~ race
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (get_group_id(0) == 1) {
        while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) == 0) {
        }
        atomic_store_explicit(flag, 2, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != 2) {
        }
        *out = *data; //~ race
    }
}
