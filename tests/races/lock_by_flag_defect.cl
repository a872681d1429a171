// racy
// run: --local-size 1 --num-groups 3
// The flag is cleared with a relaxed store.

__kernel void lock_by_flag(volatile __global atomic_flag *lock, __global int *sum)
{
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device)) {
    }
    *sum += get_group_id(0) + 1; //~ race
    atomic_flag_clear_explicit(lock, memory_order_relaxed, memory_scope_device);
}
