//pass
//--local_size=64
// A lock by acquire and release.

__kernel void lock_opencl(__global atomic_int *lock, __global int *sum)
{
    if (get_local_id(0) == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0) {
        }
        *sum += get_group_id(0);
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
}
