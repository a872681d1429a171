//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The first index of a group is the same for all its work-items, and perhaps for another group's.

__kernel void group_uniform_index(__global const uint *first, __global uint *out)
{
    out[first[get_group_id(0)] + get_local_id(0)] = get_group_id(0); //~ race
}
