//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// popcount reaches 32, one more than there is room for.

__kernel void too_wide(__global uint *a, __global const int *data)
{
    uint gid = get_global_id(0);
    a[gid * 32 + popcount(data[gid])] = gid; //~ race
}
