//pass
//--local_size=64 --num_groups=16
// A group exchanges elements through global memory: the barrier must say so, with
// CLK_GLOBAL_MEM_FENCE.

__kernel void rotate_in_group(__global const int *in, __global int *scratch, __global int *out)
{
    uint lid = get_local_id(0);
    uint first = get_group_id(0) * get_local_size(0);
    scratch[first + lid] = 2 * in[first + lid];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[first + lid] = scratch[first + (lid + 1) % get_local_size(0)];
}
