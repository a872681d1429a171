// race-free
// run: --local-size 1 --num-groups 2
// A relaxed store of the work-item that has released continues its release sequence.

__kernel void sequence_of_own_stores(__global int *data, volatile __global atomic_int *flag, __global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag, 2, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != 2) {
        }
        *out = *data;
    }
}
