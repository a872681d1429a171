//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Clang's own names of the atomics: their scope is the group, the counter is shared by all groups.

__kernel void atomic_scope_of_clang(__global atomic_int *counter)
{
    __opencl_atomic_fetch_add(counter, 1, memory_order_relaxed, memory_scope_work_group); //~ race
}
