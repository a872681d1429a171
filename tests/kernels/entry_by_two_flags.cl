//xfail:NOT_ALL_VERIFIED
//--local_size=32 --timeout=5
// As entry_by_two_flags.cu, with operations that are sequentially consistent themselves.

__kernel void enter(__global atomic_int *wants, __global int *data)
{
    int group = get_group_id(0);
    if (get_local_id(0) == 0 && group < 2) {
        atomic_store_explicit(&wants[group], 1, memory_order_seq_cst, memory_scope_device);
        if (atomic_load_explicit(&wants[1 - group], memory_order_seq_cst, memory_scope_device) == 0) {
            *data = group; //~? race
        }
    }
}
