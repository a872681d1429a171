// racy
// run: --local-size 1 --num-groups 3
// Compare and swap is relaxed.

__kernel void lock_by_exchange(volatile __global atomic_int *lock, __global int *sum)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_device)) {
        free = 0;
    }
    *sum += get_group_id(0) + 1; //~ race
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
