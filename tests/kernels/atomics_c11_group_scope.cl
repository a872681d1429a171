//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --cl-std=CL2.0
// Atomics of group scope do not order anything between groups.

__kernel void counters(volatile __global atomic_int *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_work_group); //~ race
}
