// race-free
// run: --local-size 1 --num-groups 2
// A release of device scope, and an acquire that reads from it.

__kernel void message_release_acquire(__global int *data, volatile __global atomic_int *flag, __global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
        }
        *out = *data;
    }
}
