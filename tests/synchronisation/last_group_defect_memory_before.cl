//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The barrier before the count does not order global memory.

__kernel void last_group(__global const int *in, __global int *partial, __global atomic_uint *count, __global int *out)
{
    __local int is_last;
    partial[get_global_id(0)] = in[get_global_id(0)]; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        is_last = atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last) {
        int sum = 0;
        for (uint i = 0; i < get_num_groups(0); i++)
            sum += partial[i * 64 + get_local_id(0)]; //~ race
        out[get_global_id(0)] = sum;
    }
}
