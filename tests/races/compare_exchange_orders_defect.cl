// racy
// run: --local-size 1 --num-groups 2
// As compare_exchange_orders.cl, but what is read is found by one that fails, which is relaxed.

kernel void compare_exchange_orders(global int *data, global atomic_int *flag, global int *out)
{
    if (get_group_id(0) == 0) {
        data[0] = 1; //~ race
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        int expected = 5;
        while (expected != 1) {
            expected = 5;
            atomic_compare_exchange_strong_explicit(flag, &expected, 7, memory_order_acquire, memory_order_relaxed,
                                                    memory_scope_device);
        }
        out[0] = data[0]; //~ race
    }
}
