//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As group_uniform_index.cl, with the index passed on through local memory.

__kernel void group_uniform_index(__global const uint *first, __global uint *out)
{
    __local uint base;
    if (get_local_id(0) == 0) {
        base = first[get_group_id(0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + get_local_id(0)] = get_group_id(0); //~ race
}
