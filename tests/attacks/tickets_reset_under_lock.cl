//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// A counter is set again under a lock: two groups draw the same number, one after the other.

kernel void tickets_reset_under_lock(global atomic_int *lock, global volatile uint *next, global uint *data)
{
    if (get_local_id(0) == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0) {
        }
        uint row = atomic_add(next, 32);
        *next = 0;
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
        data[row] = get_group_id(0); //~ race
    }
}
