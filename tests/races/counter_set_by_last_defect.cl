// racy
// run: --local-size 1 --num-groups 4
// OpenCL has no order between relaxed atomic operations and a plain store of a thread that has observed them.

kernel void counter_set_by_last(global atomic_uint *count)
{
    if (atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == get_global_size(0) - 1) //~ race
        *(global uint *)count = 0;                                                                               //~ race
}
