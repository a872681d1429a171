// race-free
// run: --local-size 32 --num-groups 2
// Relaxed atomic functions of device scope on a counter of all groups.

__kernel void counter_with_scope(volatile __global atomic_int *count)
{
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
}
