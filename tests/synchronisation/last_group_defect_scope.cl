//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The count is one of the work-group.

__kernel void last_group(__global const int *in, __global int *partial, __global atomic_uint *count, __global int *out)
{
    __local int is_last;
    partial[get_global_id(0)] = in[get_global_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        is_last = atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, memory_scope_work_group) == get_num_groups(0) - 1; //~ race
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last) {
        int sum = 0;
        for (uint i = 0; i < get_num_groups(0); i++)
            sum += partial[i * 64 + get_local_id(0)];
        out[get_global_id(0)] = sum;
    }
}
