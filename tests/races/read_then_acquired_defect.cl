// racy
// run: --local-size 1 --num-groups 2
// The acquire reads the own store: unlike PTX, OpenCL has no acquire pattern of a read and a later acquire.

kernel void read_then_acquired(global int *data, global atomic_int *flag, global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42; //~ race
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) != 1) {
        }
        atomic_store_explicit(flag, 2, memory_order_relaxed, memory_scope_device);
        if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 2)
            *out = *data; //~ race
    }
}
