// race-free
// run: --local-size 1 --num-groups 3
// An atomic_flag as a lock: test and set with an acquire, clear with a release.

__kernel void lock_by_flag(volatile __global atomic_flag *lock, __global int *sum)
{
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device)) {
    }
    *sum += get_group_id(0) + 1;
    atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_device);
}
