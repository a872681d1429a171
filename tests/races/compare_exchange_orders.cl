// race-free
// run: --local-size 1 --num-groups 2
// A compare-exchange that finds what it expects has the order for that, whatever the one for another value is.

kernel void compare_exchange_orders(global int *data, global atomic_int *flag, global int *out)
{
    if (get_group_id(0) == 0) {
        data[0] = 1;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        int expected = 1;
        while (!atomic_compare_exchange_strong_explicit(flag, &expected, 7, memory_order_acquire, memory_order_relaxed,
                                                        memory_scope_device)) {
            expected = 1;
        }
        out[0] = data[0];
    }
}
