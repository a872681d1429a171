//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Nothing is released before the next item has its turn.

__kernel void items_in_turn(__global atomic_uint *turn, __global int *sum, __global const int *items)
{
    uint i = get_global_id(0);
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != i) {
    }
    *sum = 3 * *sum + items[i]; //~ race
    atomic_store_explicit(turn, i + 1, memory_order_relaxed, memory_scope_device);
}
