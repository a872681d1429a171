// race-free
// run: --local-size 1 --num-groups 4
// Each addition is a release and an acquire, so the last one comes after the others.

kernel void counter_set_by_last(global atomic_uint *count)
{
    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_global_size(0) - 1)
        *(global uint *)count = 0;
}
