//xfail:NOT_ALL_VERIFIED
//--local_size=64
// By the second time, another group may hold the lock.

__kernel void lock_opencl(__global atomic_int *lock, __global int *sum)
{
    if (get_local_id(0) == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0) {
        }
        *sum += get_group_id(0); //~ race
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
}
