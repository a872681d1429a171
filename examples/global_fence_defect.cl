//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As global_fence.cl, but the barrier orders local memory only: the write before it and the
// read after it are to global memory, and race.

__kernel void rotate_in_group(__global const int *in, __global int *scratch, __global int *out)
{
    uint lid = get_local_id(0);
    uint first = get_group_id(0) * get_local_size(0);
    scratch[first + lid] = 2 * in[first + lid]; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + lid] = scratch[first + (lid + 1) % get_local_size(0)]; //~ race
}
